/**
 * What is kept, as statements about a table: @T is its name, @B its name without the schema, @S the schema, @C its first
 * column, @N its number.
 */
export const FEATURES = [
  'create index on @T (@C desc nulls last) include (n)',
  'create index on @T using hash (@C)',
  'create index on @T using brin (@C)',
  'create unique index on @T (@C, n)',
  'create index on @T (n) where @C is not null',
  'create index "idx @N" on @T (lower(label)) with (fillfactor = 70)',
  "create index ix@N on @T (@C); comment on index @S.ix@N is 'o''brien'",
  'create unique index rx@N on @T (@C); alter table @T replica identity using index rx@N',
  'alter table @T replica identity full',
  'create index cx@N on @T (@C, n); alter table @T cluster on cx@N',
  'alter table @T alter @C set statistics 77',
  'alter table @T alter @C set (n_distinct = -0.5)',
  "comment on column @T.@C is $$a 'comment'$$",
  "comment on table @T is 'table'",
  'grant select (@C), update (@C) on @T to reader; grant all on @T to reader',
  'alter table @T add check (@C is not null or n is null)',
  'alter table @T add constraint later check (n is null or @C is not null) not valid',
  'alter table @T add twice int generated always as (n * 2) stored',
  'create trigger touch before update on @T for each row execute function app.touch()',
  'create trigger off before insert on @T for each row execute function app.touch(); alter table @T disable trigger off',
  'create statistics @S.st@N (ndistinct, dependencies) on @C, n from @T',
  'alter table @T set (fillfactor = 80, autovacuum_enabled = false)',
  'alter table @T enable row level security; create policy few on @T using (n is not null)',
  'create view @S.v@N as select label from @T',
  'create publication pub@N for table @T',
  "create function @S.f@N(n int) returns int language plpgsql as 'begin return 1; end'",
  'create unique index on @T (@C) tablespace pg_default; alter table @T add extra text collate "C" default $$x$$',
] as const

/** What must be rejected, with a part of the line that says so. */
export const OBSTACLES: readonly (readonly [statement: string, line: string, since?: number])[] = [
  ['create view @S.v as select @C from @T', 'view'],
  ['create view @S.v as select label, t from @T t', 'view'],
  ['create materialized view @S.v as select @C from @T', 'materialized view'],
  ['create rule r as on insert to @T do also notify x', 'rule'],
  ['alter table @T enable row level security; create policy p on @T using (@C is not null)', 'policy p'],
  ['create policy p on @T using (@B is not null)', 'policy p'],
  ['create trigger w before update of @C on @T for each row execute function app.touch()', 'trigger w'],
  [
    'create trigger w before update on @T for each row when (old.@C <> new.@C) execute function app.touch()',
    'trigger w',
  ],
  [
    'create trigger w after update on @T for each row when (old.* is distinct from new.*) execute function app.touch()',
    'trigger w',
  ],
  ['alter table @T add made text generated always as (@C::text) stored', 'column made'],
  [
    'create table @S.part (n int) partition by list (n); create table @S.p0 partition of @S.part default; alter table @S.part add k uuid references @T (@C)',
    'partition',
  ],
  ['create table @S.child () inherits (@T)', 'inherit'],
  ['create table @S.stored (r @T)', 'row type'],
  ['create table @S.stored (r @T[])', 'row type'],
  ['create domain @S.d as @T check (value is not null)', 'row type'],
  ['create publication cols for table @T (@C, n)', 'publication', 15],
  [
    "create publication rows for table @T where (@C <> '00000000-0000-0000-0000-000000000000')",
    'publication',
    15,
  ],
  ['alter table @T add check (length(@C::text) = 36)', 'check'],
  ["alter table @T add check (@C <> '00000000-0000-0000-0000-000000000000') not valid", 'check'],
  ['create index bad on @T ((@C::text))', 'index'],
  ["create index bad on @T (n) where @C <> '00000000-0000-0000-0000-000000000000'", 'index'],
  ['create index bad on @T using brin (@C uuid_bloom_ops)', 'index', 14],
  ['create statistics @S.ex on (@C::text), n from @T', 'statistics object', 14],
  ['create function @S.atomic() returns uuid begin atomic select @C from @T limit 1; end', 'function', 14],
  [
    'create function @S.named() returns void language plpgsql as $body$ begin perform @C from @T; end $body$',
    'search',
  ],
  [
    'create function @S.g() returns trigger language plpgsql as $body$ begin new.@C := null; return new; end $body$; create trigger g before insert on @T for each row execute function @S.g()',
    'search',
  ],
  ['alter table @T add self uuid references @T (@C); alter table @T disable trigger all', 'disabled'],
  [
    'create domain @S.uu as uuid; create table @S.other (k @S.uu references @T (@C))',
    'expected a column of the type uuid',
  ],
]
