import { type Kysely, sql } from 'kysely'

export const TABLES = `
  create table parent (id integer primary key, a integer, b integer, unique (a, b));
  create table code (code text primary key, note text unique);
  create table "odd name" ("x, y" integer unique, "a ""b""" integer references parent);
  create table word (word text);
  create unique index "word's index" on word (lower(word));
  create unique index word_length on word (length(word)) where word > 'x';
  create table child (id integer, parent_id integer references parent, code text references code, note text);
  create table pair (x integer, y integer, z integer, foreign key (x, y) references parent (a, b), foreign key (z) references parent);
  create table big (id bigint primary key, up bigint references big, code text references code);
  create table strict (parent_id integer references parent on delete restrict);
  create table self (id integer primary key, self_id integer references self);
  create table dependent (parent_id integer references parent on delete cascade);
  insert into parent values (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5);
  insert into code values ('used', 'a note'), ('free', null);
  insert into "odd name" values (1, null);
  insert into word values ('word'), ('xxx');
  insert into child values (1, 1, 'used', 'first'), (2, 4, null, null);
  insert into pair values (2, 2, null);
  insert into big values (9007199254740993, null, null);
  insert into strict values (3);
  insert into self values (1, null), (2, 1), (3, 2);
  insert into dependent values (1), (4), (5)`

// biome-ignore lint/suspicious/noExplicitAny: tables without types.
type Db = Kysely<any>

type Query = (db: Db) => { execute(): unknown }

const insert =
  (table: string, values: object | object[]): Query =>
  (db) =>
    db.insertInto(table).values(values)
const deleteParent =
  (column: string, value: number): Query =>
  (db) =>
    db.deleteFrom('parent').where(column, '=', value)

export const VIOLATIONS: [constraint: string, Query][] = [
  ['parent_pkey', insert('parent', { id: 1 })],
  ['code_pkey', insert('code', { code: 'used' })],
  [
    'code_note_key',
    (db) =>
      db.updateTable('code').set({ note: 'a note' }).where('note', 'is', null),
  ],
  ['parent_a_b_key', insert('parent', { id: 9, a: 1, b: 1 })],
  ['odd name_x, y_key', insert('odd name', { 'x, y': 1 })],
  ["word's index", insert('word', { word: 'WORD' })],
  ['word_length', insert('word', { word: 'xyz' })],
  [
    'child_parent_id_fkey',
    insert('child', [{ parent_id: 2 }, { parent_id: 9 }]),
  ],
  [
    'child_parent_id_fkey',
    (db) =>
      db
        .insertInto('child')
        .columns(['id', 'parent_id'])
        .expression((eb) =>
          eb.selectFrom('parent').select(['id', sql`id + ${5}`.as('n')]),
        ),
  ],
  [
    'child_code_fkey',
    (db) =>
      db
        .insertInto('child')
        .values({ id: sql`abs(${-1})`, parent_id: 1, code: 'none' })
        .returning(['id']),
  ],
  [
    'child_code_fkey',
    (db) =>
      db
        .updateTable('child')
        .set({ note: 'none', code: 'none' })
        .where('note', '=', 'first'),
  ],
  ['pair_x_y_fkey', insert('pair', { x: 1, y: 2 })],
  ['child_parent_id_fkey', insert('child', { parent_id: 9, code: 'none' })],
  ['pair_z_fkey', insert('pair', { x: 1, z: 9 })],
  [
    'big_code_fkey',
    insert('big', { id: 1, up: 9007199254740993n, code: 'none' }),
  ],
  ['pair_x_y_fkey', deleteParent('a', 2)],
  ['child_parent_id_fkey', deleteParent('b', 4)],
  ['strict_parent_id_fkey', deleteParent('b', 3)],
  [
    'self_self_id_fkey',
    (db) => db.deleteFrom('self').where('id', 'in', [1, 3]),
  ],
]
