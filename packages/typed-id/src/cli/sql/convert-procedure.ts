import { COLUMNS, FIND_COLUMNS, FIND_OBSTACLES, FIND_RELATED, LIST_DEFINITIONS } from './convert-catalogue.ts'

/** The procedures of the file. They are temporary, so only the connection that creates them can see them. */
export const PROCEDURES = ['typed_id_convert', 'typed_id_wait']

export const WAIT = `-- Waits for snapshots from before this moment: a transaction with REPEATABLE READ or SERIALIZABLE that has one would see
-- rewritten tables without rows. Does not wait for clients that wait for these tables.
create or replace procedure pg_temp.typed_id_wait(tables pg_catalog.oid[])
language plpgsql set search_path = pg_catalog, pg_temp as $procedure$
declare
  holders text[];
  is_first boolean := true;
  patience constant interval := current_setting('lock_timeout');
  started constant timestamptz := clock_timestamp();
begin
  while is_first or patience = interval '0' or clock_timestamp() < started + patience loop
    perform pg_stat_clear_snapshot();
    select array_agg(concat_ws(' ', pid, backend_xmin, xact_start)) into holders from pg_stat_activity a
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null and backend_xmin is not null
    and (is_first or concat_ws(' ', pid, backend_xmin, xact_start) = any (holders))
    and not exists (select from pg_locks l where l.pid = a.pid and not l.granted and l.relation = any (tables));
    if holders is null then
      return;
    end if;
    is_first := false;
    perform pg_sleep(0.02);
  end loop;
  raise exception 'another transaction has an older snapshot, in which the converted tables would be empty'
    using errcode = 'lock_not_available', detail = 'Process, snapshot and start: ' || array_to_string(holders, ', '),
    hint = 'Nothing has changed. Run it again when the transaction has ended.';
end $procedure$;
`

export const CONVERT = `create or replace procedure pg_temp.typed_id_convert(
  tables pg_catalog.regclass[], names pg_catalog.name[], prefixes pg_catalog.text[], types pg_catalog.regtype[],
  to_uuid boolean
)
language plpgsql
set search_path = pg_catalog, pg_temp
set row_security = off
set standard_conforming_strings = on
set quote_all_identifiers = off
set lock_timeout = '5s' -- the longest wait for each table; 0 means without a limit
as $procedure$
declare
  find_columns constant text := $query$${FIND_COLUMNS}
  $query$;
  find_obstacles constant text := $query$${FIND_OBSTACLES}
  $query$;
  find_related constant text := $query$${FIND_RELATED}
  $query$;
  list_definitions constant text := $query$${LIST_DEFINITIONS}
  $query$;
  converted jsonb;
  rels oid[];
  before text[];
  after text[];
  obstacles bigint;
  list text;
  drops text;
  additions text;
  checksum text;
  old record;
  new record;
  item record;
  bytes numeric;
  done numeric := 0;
  started timestamptz;
  begun timestamptz;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'expected a transaction with READ COMMITTED, received %', current_setting('transaction_isolation');
  end if;
  select string_agg(format('%s.%I', t.rel, t.name), ', ') into list from unnest(tables, names) as t(rel, name)
  where not exists (
    select from pg_attribute a join pg_class k on k.oid = a.attrelid and k.relkind in ('r', 'p')
    where a.attrelid = t.rel and a.attname = t.name and a.attnum > 0 and not a.attisdropped
  );
  if list is not null then
    raise exception 'expected columns of tables, received %', list using errcode = 'undefined_column';
  end if;

  -- Locks all tables in the order of their oids, so that two conversions cannot wait for each other.
  execute find_columns into converted using tables, names, prefixes, types;
  select array_agg(distinct rel order by rel) into rels from jsonb_to_recordset(converted) as x(rel oid);
  for item in select rel from unnest(rels) as t(rel) loop
    execute format('lock table only %s in access exclusive mode', item.rel::regclass);
  end loop;
  execute find_columns into list using tables, names, prefixes, types;
  if list::jsonb <> converted then
    raise exception 'foreign keys were changed while this transaction waited for locks' using hint = 'Run it again.';
  end if;
  call pg_temp.typed_id_wait(rels);

  execute find_obstacles into obstacles, list using converted, to_uuid;
  if obstacles > 0 then
    raise exception 'the conversion is rejected, and nothing has changed (reasons: %)', obstacles
      using errcode = 'feature_not_supported', detail = list,
      hint = 'Drop these objects before and create them again after, all in one transaction: psql -1 -v ON_ERROR_STOP=1 -f drop.sql -f convert.sql -f create.sql';
  end if;

  -- Says what will change.
  execute list_definitions into before using rels;
  select string_agg(format('alter table only %s drop constraint %I', conrelid::regclass, conname), '; ' order by oid),
    string_agg(format('alter table only %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      || coalesce(format('; comment on constraint %I on %s is ', conname, conrelid::regclass)
        || quote_literal(obj_description(oid, 'pg_constraint')), ''), '; ' order by oid)
  into drops, additions from pg_constraint f where contype = 'f' and exists (
    select from jsonb_to_recordset(converted) as x(rel oid, att int2) where rel = conrelid and att = any (conkey)
  );
  for item in
    with ${COLUMNS.replace('$1', 'converted').trim()}
    select c.name, format_type(case when to_uuid then 'uuid'::regtype else c.type end, null) as target,
      pg_get_expr(d.adbin, d.adrelid) as value
    from columns c left join pg_attrdef d on d.adrelid = c.rel and d.adnum = c.att order by c.rel, c.att
  loop
    raise notice '% becomes %', item.name, item.target || coalesce(', and its default is converted: ' || item.value, '');
  end loop;
  raise notice 'foreign keys to create again: %', coalesce(additions, 'none');
  select string_agg(distinct quote_ident(pubname), ', ') into list from pg_publication_tables
  where to_regclass(format('%I.%I', schemaname, tablename)) = any (rels);
  if list is not null then
    raise notice 'tables are in the publications %: convert the tables of their subscribers, too', list;
  end if;
  execute find_related into list using converted, to_uuid;
  if list is not null then
    raise notice 'these columns have no foreign key and stay as they are, also if they contain the same ids: %', list;
  end if;
  raise notice 'statistics of the columns are collected again; OIDs of indexes and foreign keys change';

  if drops is not null then
    execute drops;
  end if;
  select sum(pg_relation_size(rel)) into bytes from unnest(rels) as t(rel);
  started := clock_timestamp();
  for item in
    with ${COLUMNS.replace('$1', 'converted').trim()}
    select c.rel, pg_relation_size(c.rel) as size,
      string_agg(case when to_uuid then format('alter column %I type uuid using "right"(%1$I::text, 36)::uuid', c.attname)
        else format('alter column %I type %s using (%L || %1$I::text)::%2$s', c.attname, c.type::regtype, c.prefix || '-')
        end, ', ') as changes,
      string_agg(format(', alter column %I drop default', c.attname), '') filter (where d.value is not null) as drops,
      string_agg(format(', alter column %I set default %s', c.attname, case
          when not to_uuid then format('(%L || (%s)::text)', c.prefix || '-', d.value)
          else coalesce(substring(d.value from format('^\\(%L::text \\|\\| \\((.*)\\)::text\\)$', c.prefix || '-')),
            format('"right"((%s)::text, 36)::uuid', d.value)) end), '') filter (where d.value is not null) as defaults,
      string_agg(format('"right"(%I::text, 36)', c.attname), ', ' order by c.att) as keys
    from columns c left join lateral (
      select pg_get_expr(adbin, adrelid) as value from pg_attrdef where adrelid = c.rel and adnum = c.att
    ) d on true group by c.rel order by c.rel
  loop
    begun := clock_timestamp();
    -- The last 36 characters of both forms are the UUID.
    checksum := format('select count(*) as rows, sum(hashtextextended(row(%s)::text, 0)) as keys from only %s', item.keys,
      item.rel::regclass);
    execute checksum into old;
    execute format('alter table only %s %s', item.rel::regclass, concat(item.changes, item.drops, item.defaults));
    execute checksum into new;
    if old is distinct from new then
      raise exception 'the rows of % differ after the conversion: expected %, received %', item.rel::regclass, old, new
        using errcode = 'data_corrupted';
    end if;
    done := done + item.size;
    raise notice '%: % rows, % rows a second; about % s for the other tables, without foreign keys', item.rel::regclass,
      new.rows, round((new.rows / greatest(extract(epoch from clock_timestamp() - begun), 0.001))::numeric),
      round((extract(epoch from clock_timestamp() - started) * (bytes - done) / greatest(done, 1))::numeric);
  end loop;

  if additions is not null then
    execute additions;
  end if;
  execute list_definitions into after using rels;
  if before is distinct from after then
    raise exception 'definitions would change' using errcode = 'feature_not_supported', detail = (
      select string_agg(line, E'\\n') from (
        select '- ' || line as line from (select unnest(before) except select unnest(after)) as x(line)
        union all select '+ ' || line from (select unnest(after) except select unnest(before)) as x(line)
      ) as difference
    );
  end if;
  for item in select rel from unnest(rels) as t(rel) loop
    execute format('analyze %s', item.rel::regclass);
  end loop;
  call pg_temp.typed_id_wait(rels);
  raise notice 'converted % columns of % tables%', jsonb_array_length(converted), cardinality(rels),
    case when to_uuid then '. Where no other column uses them, drop the types: ' || array_to_string(types, ', ') else '' end;
end $procedure$;
`
