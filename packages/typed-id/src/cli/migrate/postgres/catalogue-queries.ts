/* Queries of pg_catalog. Each runs with an empty search_path, so regclass and definitions contain the schema. */

/** The columns of an array of attribute numbers, in its order. */
const names = (table: string, numbers: string) => `array(
    select quote_ident(a.attname) from unnest(${numbers}) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number order by k.place)::text[]`

/** $1: the quoted name of a table, $2: the name of a column. */
export const FIND_COLUMN = `
  select to_regclass($1)::oid as oid, (select quote_ident(attname) from pg_attribute
    where attrelid = to_regclass($1) and attname = $2 and attnum > 0 and not attisdropped) as column`

export const NAME = 'select $1::oid::regclass::text as name'

export const FOREIGN_KEYS = `
  select quote_ident(conname) as name, conrelid::regclass::text as table, confrelid::regclass::text as parent,
    ${names('conrelid', 'conkey')} as columns, ${names('confrelid', 'confkey')} as "parentColumns",
    regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', '') as definition, convalidated as "isValid"
  from pg_constraint where contype = 'f' and conparentid = 0
  order by conrelid::regclass::text, conname`

export const TABLES = `
  select c.oid::regclass::text as name, c.relkind as kind,
    exists (select from pg_inherits where c.oid in (inhrelid, inhparent)) as inherits,
    exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal and tgenabled <> 'D'
      and tgtype & 16 <> 0 and tgattr = '') as "firesOnUpdate"
  from pg_class c where c.oid = any($1::regclass[]) order by 1`

/** The sequence of the identity column `a`. Grantee 0 is PUBLIC. */
const IDENTITY = `
  select s.seqrelid::regclass::text as sequence,
    format('as %s increment by %s minvalue %s maxvalue %s start with %s cache %s', s.seqtypid::regtype, seqincrement,
      seqmin, seqmax, seqstart, seqcache) || case when seqcycle then ' cycle' else '' end as options,
    quote_ident(pg_get_userbyid(t.relowner)) as owner,
    array(select distinct case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end
      from (select t.relacl as acl union all select attacl from pg_attribute where attrelid = t.oid) acls,
      aclexplode(acl) g where g.privilege_type = 'INSERT' and g.grantee <> t.relowner order by 1) as writers
  from pg_sequence s
  join pg_depend p on p.objid = s.seqrelid and p.classid = 'pg_class'::regclass and p.deptype = 'i'
  join pg_class t on p.refclassid = 'pg_class'::regclass and t.oid = p.refobjid
  where p.refobjid = a.attrelid and p.refobjsubid = a.attnum`

export const COLUMNS = `
  select a.attrelid::regclass::text as table, quote_ident(a.attname) as name,
    format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
    case when i.sequence is not null then to_json(i) end as identity,
    (select c.oid::regcollation::text from pg_collation c join pg_type t on t.oid = a.atttypid
      where c.oid = a.attcollation and c.oid <> t.typcollation) as collation,
    a.attacl is not null as "hasGrants", col_description(a.attrelid, a.attnum) as comment,
    coalesce(pg_get_expr(d.adbin, d.adrelid), 'nextval(' || quote_literal(i.sequence) || '::regclass)') as default,
    array(select s.oid::regclass::text from pg_depend p join pg_class s on s.oid = p.objid and s.relkind = 'S'
      where p.classid = 'pg_class'::regclass and p.refclassid = 'pg_class'::regclass and p.refobjid = a.attrelid
      and p.refobjsubid = a.attnum and p.deptype in ('a', 'i') order by 1) as sequences
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join lateral (${IDENTITY}) i on a.attidentity <> ''
  where a.attrelid = any($1::regclass[]) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`

export const INDEXES = `
  select i.indrelid::regclass::text as table, quote_ident(x.relname) as name, quote_ident(n.nspname) as schema,
    pg_get_indexdef(i.indexrelid) as definition, m.amname as method,
    ${names('i.indrelid', 'i.indkey::int2[]')} as "keyColumns",
    array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = i.indrelid and (a.attnum = any(i.indkey)
      or exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid and d.refobjsubid = a.attnum)))::text[] as columns,
    concat_ws(' ', pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid)) as expressions,
    c.contype as constraint, i.indisreplident as "isReplicaIdentity",
    case when c.condeferred then ' deferrable initially deferred' when c.condeferrable then ' deferrable' else '' end
      as deferrable
  from pg_index i
  join pg_class x on x.oid = i.indexrelid
  join pg_namespace n on n.oid = x.relnamespace
  join pg_am m on m.oid = x.relam
  left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')
  where i.indrelid = any($1::regclass[]) order by 1, 2`

export const CHECKS = `
  select conrelid::regclass::text as table, quote_ident(conname) as name, ${names('conrelid', 'conkey')} as columns,
    regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', '') as definition,
    pg_get_expr(conbin, conrelid) as expression, convalidated as "isValid"
  from pg_constraint where contype = 'c' and conrelid = any($1::regclass[]) order by 1, 2`

/** Everything that depends on a column, except what the plan converts: constraints, indexes, defaults, sequences. */
export const DEPENDENTS = `
  select d.refobjid::regclass::text as table, quote_ident(a.attname) as column,
    coalesce('view ' || r.ev_class::regclass::text, pg_describe_object(d.classid, d.objid, d.objsubid)) as dependent
  from pg_depend d
  join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
  left join pg_attrdef f on d.classid = 'pg_attrdef'::regclass and f.oid = d.objid
  left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
  where d.refclassid = 'pg_class'::regclass and d.refobjid = any($1::regclass[]) and d.refobjsubid > 0
    and d.classid <> 'pg_constraint'::regclass and coalesce(c.relkind not in ('i', 'S'), true)
    and (f.oid is null or (f.adrelid, f.adnum) <> (d.refobjid, d.refobjsubid) or a.attgenerated <> '')
  order by 1, 2, 3`
