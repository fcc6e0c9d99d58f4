/** Returns an SQL condition: a catalogue expression uses a column, and not only to test the column for null. */
const uses = (tree: string, column: string) =>
  `regexp_replace(${tree}, '\\{NULLTEST :arg \\{VAR [^}]*\\}', '', 'g') ~ (':varattno (0|' || ${column} || ') ')`

/** Returns a regular expression that finds a name as a whole word. */
const word = (name: string) =>
  `('(^|[^[:alnum:]_])' || regexp_replace(replace(${name}, '"', '""'), '([^[:alnum:]_])', '\\\\\\1', 'g') || '($|[^[:alnum:]_])')`

/** Finds the columns of the command line, and all columns that foreign keys connect with them, in both directions. */
export const FIND_COLUMNS = `
    with recursive pairs as (
      select f.conrelid, k.att, f.confrelid, k.fatt
      from pg_constraint f, unnest(f.conkey, f.confkey) as k(att, fatt) where f.contype = 'f'
    ), edges(rel, att, frel, fatt) as (
      select conrelid, att, confrelid, fatt from pairs union select confrelid, fatt, conrelid, att from pairs
    ), found(rel, att, prefix, type) as (
      select a.attrelid, a.attnum, t.prefix, t.type::oid
      from unnest($1, $2, $3, $4) as t(rel, name, prefix, type)
      join pg_attribute a on a.attrelid = t.rel and a.attname = t.name and a.attnum > 0 and not a.attisdropped
      union
      select e.frel, e.fatt, f.prefix, f.type from found f join edges e on e.rel = f.rel and e.att = f.att
    )
    select jsonb_agg(to_jsonb(f) order by f.rel, f.att, f.prefix) from found f`

/** A common table expression with a row for each column in $1, the result of FIND_COLUMNS. */
export const COLUMNS = `
    columns as (
      select x.*, a.attname, a.atttypid, a.atttypmod, a.attgenerated, format('%s.%I', x.rel::regclass, a.attname) as name
      from jsonb_to_recordset($1) as x(rel oid, att int2, prefix text, type oid)
      join pg_attribute a on a.attrelid = x.rel and a.attnum = x.att
    )`

/** Finds all that the conversion would change, break or miss, one line each. $2 is true for a conversion to uuid. */
export const FIND_OBSTACLES = `
    with ${COLUMNS.trim()}, tables as (
      select k.*, k.oid::regclass::text as name from pg_class k where k.oid in (select rel from columns)
    ), trees(class, oid, tree) as (
      select 'pg_rewrite'::regclass, oid, concat(ev_qual, ev_action) from pg_rewrite
      union all select 'pg_policy'::regclass, oid, concat(polqual, polwithcheck) from pg_policy
      union all select 'pg_trigger'::regclass, oid, tgqual::text from pg_trigger
      union all select 'pg_proc'::regclass, oid, to_jsonb(p) ->> 'prosqlbody' from pg_proc p
    ), dependents as (
      select c.*, d.classid, d.objid, d.objsubid from columns c
      join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = c.rel and d.refobjsubid = c.att
    ), kept as (
      select d.rel, d.att, d.classid, d.objid from dependents d join pg_attrdef x on x.oid = d.objid
      where d.classid = 'pg_attrdef'::regclass and x.adrelid = d.rel and x.adnum = d.att and d.attgenerated = ''
      union all
      select d.rel, d.att, d.classid, d.objid from dependents d join pg_constraint x on x.oid = d.objid
      where d.classid = 'pg_constraint'::regclass
      and (x.contype in ('f', 'p', 'u', 'x', 'n') or x.contype = 'c' and not ${uses('x.conbin::text', 'd.att')})
      union all
      select d.rel, d.att, d.classid, d.objid from dependents d join pg_index x on x.indexrelid = d.objid
      where d.classid = 'pg_class'::regclass and x.indisvalid
      and not ${uses('concat(x.indexprs, x.indpred)', 'd.att')}
      and not exists (
        select from unnest(x.indkey::int2[], x.indclass::oid[]) as k(att, class) join pg_opclass o on o.oid = k.class
        where k.att = d.att and not o.opcdefault
      )
      union all
      select d.rel, d.att, d.classid, d.objid from dependents d join pg_statistic_ext x on x.oid = d.objid
      where d.classid = 'pg_statistic_ext'::regclass and d.att = any (x.stxkeys::int2[])
      and not ${uses("concat(to_jsonb(x) ->> 'stxexprs')", 'd.att')}
    ), obstacles(line) as (
      select format('%s: foreign keys connect columns of the types %s', name, string_agg(distinct prefix, ' and '))
      from columns group by name having count(distinct prefix) > 1
      union all
      select format('%s: expected a column of the type %s, received %s', name, format_type(expected, null),
        format_type(atttypid, atttypmod))
      from columns, lateral (values (case when $2 then type else 'uuid'::regtype end)) as e(expected)
      where atttypid <> expected
      union all
      select format('%s: %s', t.name, reason) from tables t, lateral (values
        (t.relkind = 'p' or t.relispartition, 'partitioned tables are not converted'),
        (exists (select from pg_inherits where t.oid in (inhrelid, inhparent)), 'tables that inherit are not converted'),
        (t.reloftype <> 0, 'tables of a composite type are not converted'),
        (not pg_has_role(t.relowner, 'usage'), 'the current user does not own this table'),
        (row_security_active(t.oid), 'row level security applies to the current user')
      ) as r(applies, reason) where applies
      union all
      select format('%s: the type belongs to %s', y.oid::regtype, y.typowner::regrole)
      from pg_type y join pg_roles r on r.oid = y.typowner where y.oid in (select type from columns) and not r.rolsuper
      and r.rolname <> current_user and y.typowner not in (select relowner from tables)
      union all
      select format('%s: %s%s', d.name, pg_describe_object(d.classid, d.objid, d.objsubid), case
        when d.objid in (select indexrelid from pg_index) then ' (with an expression, with an operator class, or invalid)'
        when d.classid = 'pg_constraint'::regclass then ' (an expression with the column)' else '' end)
      from dependents d
      where not exists (select from kept k where k.rel = d.rel and k.att = d.att and k.classid = d.classid and k.objid = d.objid)
      union all
      select format('%s: %s', t.name, pg_describe_object(d.classid, d.objid, d.objsubid))
      from tables t join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid
      join trees x on x.class = d.classid and x.oid = d.objid where x.tree ~ ':varattno 0 '
      union all
      select format('%s: rule %I on it', t.name, w.rulename) from tables t join pg_rewrite w on w.ev_class = t.oid
      union all
      select format('%s: its row type is used by %s', t.name, pg_describe_object(d.classid, d.objid, d.objsubid))
      from tables t join pg_type y on y.oid = t.reltype join pg_depend d
      on d.refclassid = 'pg_type'::regclass and d.refobjid in (y.oid, y.typarray) and d.deptype <> 'i'
      and d.classid in ('pg_class'::regclass, 'pg_type'::regclass)
      union all
      select format('%s: the foreign key %I is disabled', t.name, f.conname)
      from tables t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
      where exists (select from pg_trigger g where g.tgconstraint = f.oid and g.tgenabled <> 'O')
      union all
      select format('%s: %s names the column (found by a search in its text)', c.name,
        pg_describe_object('pg_proc'::regclass, p.oid, 0))
      from columns c join tables t on t.oid = c.rel join pg_proc p on p.prosrc ~* ${word('c.attname')}
      join pg_language l on l.oid = p.prolang and l.lanname not in ('internal', 'c')
      join pg_namespace n on n.oid = p.pronamespace and n.nspname not in ('pg_catalog', 'information_schema')
      where n.oid <> pg_my_temp_schema() and (p.prosrc ~* ${word('t.relname')}
        or exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = p.oid)
        or exists (select from pg_type y where y.oid = t.reltype
          and (p.proargtypes::oid[] && array[y.oid, y.typarray] or p.prorettype in (y.oid, y.typarray))))
    )
    select count(distinct line), string_agg(distinct line, E'\\n' order by line) from obstacles`

/** Lists the definitions that must not change, unlike types, defaults and foreign keys of the converted columns. */
export const LIST_DEFINITIONS = `
    with rels as (select oid from unnest($1) as t(oid)), lines(line) as (
      select jsonb_build_array('table', k.oid::regclass, k.relacl, k.reloptions, k.relreplident, k.relrowsecurity,
        k.relforcerowsecurity, k.reltablespace, k.relpersistence, obj_description(k.oid, 'pg_class'))
      from pg_class k join rels on rels.oid = k.oid
      union all
      select jsonb_build_array('column', a.attrelid::regclass, a.attname, a.attnotnull, a.attidentity, a.attgenerated,
        a.attstattarget, a.attoptions, a.attacl, col_description(a.attrelid, a.attnum))
      from pg_attribute a join rels on rels.oid = a.attrelid where a.attnum > 0
      union all
      select jsonb_build_array('index', pg_get_indexdef(i.indexrelid), i.indisclustered, i.indisreplident, i.indisvalid,
        k.reltablespace, k.relacl, obj_description(k.oid, 'pg_class'), array(
          select a.attstattarget from pg_attribute a where a.attrelid = k.oid order by a.attnum
        ))
      from pg_index i join rels on rels.oid = i.indrelid join pg_class k on k.oid = i.indexrelid
      union all
      select jsonb_build_array('constraint', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid), c.connoinherit,
        obj_description(c.oid, 'pg_constraint'))
      from pg_constraint c join rels on rels.oid = c.conrelid
      union all
      select jsonb_build_array('trigger', pg_get_triggerdef(g.oid), g.tgenabled, obj_description(g.oid, 'pg_trigger'))
      from pg_trigger g join rels on rels.oid = g.tgrelid where not g.tgisinternal
      union all
      select jsonb_build_array('statistics', pg_get_statisticsobjdef(s.oid), s.stxstattarget,
        obj_description(s.oid, 'pg_statistic_ext'))
      from pg_statistic_ext s join rels on rels.oid = s.stxrelid
    )
    select array_agg(line::text order by line::text) from lines`

/** Finds columns without a foreign key that may contain the same ids. The conversion does not change them. */
export const FIND_RELATED = `
    with ${COLUMNS.trim()}
    select string_agg(format('%s.%I', a.attrelid::regclass, a.attname), ', ' order by a.attrelid, a.attnum)
    from pg_attribute a join pg_class k on k.oid = a.attrelid and k.relkind in ('r', 'p', 'm')
    join pg_namespace n on n.oid = k.relnamespace and n.nspname !~ '^(pg_|information_schema$)'
    where a.attnum > 0 and not a.attisdropped
    and (a.atttypid in ('json'::regtype, 'jsonb'::regtype)
      or not $2 and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
      or $2 and a.atttypid in (select unnest(array[y.oid, y.typarray]) from columns c join pg_type y on y.oid = c.type))
    and not exists (select from columns c where c.rel = a.attrelid and c.att = a.attnum)
    and not exists (
      select from pg_constraint c where c.conrelid = a.attrelid and a.attnum = any (c.conkey)
      and (c.contype = 'f' or c.contype = 'p' and cardinality(c.conkey) = 1)
    )`
