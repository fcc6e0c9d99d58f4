import pg from 'pg'
import { expect, test } from 'vitest'
import { printConversion, readDatabase, withDatabase } from './convert-database.ts'

const TABLES = `
  create table teams (id uuid primary key default gen_random_uuid(), name text);
  create table users (id uuid primary key, team_id uuid not null references teams);
  insert into teams select gen_random_uuid(), n::text from generate_series(1, 5) n;
  insert into users select gen_random_uuid(), id from teams, generate_series(1, 3)`
/** Gives the tables to a role that is no superuser, and hides all rows of users from other roles. */
const SECURED = `grant create, usage on schema public to owner;
  alter table users owner to owner; alter table teams owner to owner;
  alter table users enable row level security; create policy few on users using (false)`
const COLUMNS = ['users.id=user', 'teams.id=team']

const file = (await printConversion(COLUMNS)).replace("lock_timeout = '5s'", "lock_timeout = '200ms'")
const back = await printConversion(COLUMNS, 'uuid')

const OLDER_SNAPSHOT = { code: '55P03', message: expect.stringContaining('older snapshot') }

/** Returns the ids of the users with those of their teams, as uuids. */
const readIds = async (client: pg.Client) =>
  (
    await client.query(
      'select right(u.id::text, 36) as id, right(t.id::text, 36) as team from users u join teams t on t.id = u.team_id order by 1',
    )
  ).rows
const typeOf = async (client: pg.Client) =>
  (await client.query('select pg_typeof(id)::text as type from users')).rows[0]?.type

async function expectConverted(client: pg.Client, before: unknown[]): Promise<void> {
  expect(before).toHaveLength(15)
  expect(await typeOf(client)).toMatch(/user_id$/)
  expect(await readIds(client)).toEqual(before)
}

async function expectUnchanged(client: pg.Client, text: string, error: object, prepare = ''): Promise<void> {
  const before = await readDatabase(client)
  await client.query(prepare)
  await expect(client.query(text)).rejects.toMatchObject(error)
  await client.query('reset role')
  expect(await readDatabase(client)).toEqual(before)
}

/** Tests the file of --convert against other clients, other roles and what they have planted. */
export function testAttacks(connection: () => pg.ClientConfig): void {
  const attack = (title: string, run: (client: pg.Client, other: pg.Client) => Promise<void>) =>
    test(title, () =>
      withDatabase(connection(), async (client, config) => {
        const other = new pg.Client(config)
        await other.connect()
        try {
          await client.query(TABLES)
          await run(client, other)
        } finally {
          await other.end()
        }
      }),
    )

  attack('rejects tables with FORCE ROW LEVEL SECURITY of an owner who is no superuser', async (client) => {
    await client.query(`${SECURED}; alter table users force row level security`)
    const detail = 'public.users: row level security applies to the current user'
    await expectUnchanged(client, file, { detail }, 'set role owner')
  })

  attack('converts tables with row level security for their owner', async (client) => {
    await client.query(SECURED)
    const before = await readIds(client)
    await client.query('set role owner')
    await client.query(file)
    await expectConverted(client, before)
    await client.query('reset role')
  })

  attack('fails for a role without rights', async (client) => {
    await client.query('grant create, usage on schema public to owner')
    await expectUnchanged(client, file, { code: '42501' }, 'set role owner')
    await client.query('grant all on users, teams to owner')
    const detail = expect.stringContaining('public.users: the current user does not own this table')
    await expectUnchanged(client, file, { detail }, 'set role owner')
  })

  attack('rejects a domain of another role, whose CHECK would run its function', async (client) => {
    await client.query(`grant create, usage on schema public to owner; set role owner;
      create function evil(text) returns boolean language plpgsql as $$ begin raise 'evil'; end $$;
      create domain user_id as text collate "C" check (evil(value) and value ~
        '^user-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$');
      reset role`)
    await expectUnchanged(client, file, { detail: 'public.user_id: the type belongs to owner' })
  })

  attack('uses no function or operator of the search path', async (client) => {
    await client.query(`
      create function public.evil(text, text) returns text language plpgsql as $$ begin raise 'evil'; end $$;
      create operator public.|| (function = evil, leftarg = text, rightarg = text);
      create function public."right"(text, int) returns text language plpgsql as $$ begin raise 'evil'; end $$;
      create function public.hashtextextended(text, bigint) returns bigint language plpgsql as $$ begin raise 'evil'; end $$;
      create function public.format(text, variadic text[]) returns text language plpgsql as $$ begin raise 'evil'; end $$;
      create function public.parse_ident(text) returns text[] language plpgsql as $$ begin raise 'evil'; end $$;
      create domain public.regclass as text; create domain public.uuid as text; create domain public.name as text`)
    const before = await readIds(client)
    await client.query(`set search_path = public, pg_catalog; ${file}; reset search_path`)
    await expectConverted(client, before)
  })

  attack('fires no trigger, and keeps rows that a CHECK without validation rejects', async (client) => {
    await client.query(`create function reject() returns trigger language plpgsql as $$ begin raise 'row'; end $$;
      create trigger reject before insert or update or delete on users for each row execute function reject();
      alter table users add constraint never check (team_id is null) not valid`)
    const before = await readDatabase(client)
    await client.query(file)
    await client.query(back)
    expect(await readDatabase(client)).toEqual(before)
  })

  attack('changes nothing if an event trigger raises', async (client) => {
    await client.query(`create function reject() returns event_trigger language plpgsql as $$
      begin if tg_tag = 'ALTER TABLE' then raise 'event'; end if; end $$;
      create event trigger reject on ddl_command_end execute function reject()`)
    await expectUnchanged(client, file, { message: 'event' })
  })

  attack('waits for a limited time for the locks of another transaction', async (client, other) => {
    await other.query('begin; select from users')
    await expectUnchanged(client, file, { code: '55P03' })
    await other.query('commit')
  })

  attack(
    'rejects while another transaction has a snapshot in which the tables would be empty',
    async (client, other) => {
      await other.query('begin isolation level repeatable read; select 1')
      await expectUnchanged(client, file, OLDER_SNAPSHOT)
      expect(await readIds(other)).toHaveLength(15)
      await other.query('commit')
      const before = await readIds(client)
      await client.query(file)
      await expectConverted(client, before)
    },
  )

  attack(
    'rejects if another transaction takes such a snapshot during the conversion',
    async (client, other) => {
      await client.query(`create function pause() returns event_trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(27); end $$;
      create event trigger pause on ddl_command_end when tag in ('ALTER TABLE') execute function pause()`)
      await other.query('select pg_advisory_lock(27)')
      client.once('notice', () =>
        other
          .query('begin isolation level repeatable read')
          .then(() => other.query('select pg_advisory_unlock(27)')),
      )
      await expectUnchanged(client, file, OLDER_SNAPSHOT)
      expect(await readIds(other)).toHaveLength(15)
    },
  )

  attack('rejects a transaction with REPEATABLE READ', async (client) => {
    const message = 'expected a transaction with READ COMMITTED, received repeatable read'
    await client.query('begin isolation level repeatable read')
    await expect(client.query(file)).rejects.toMatchObject({ message })
    await client.query('rollback')
  })

  attack('leaves no setting, procedure or lock behind', async (client) => {
    const settings = `select current_setting('search_path') as path, current_setting('row_security') as security,
      current_setting('lock_timeout') as timeout, current_setting('standard_conforming_strings') as strings, (select count(*) from pg_proc where proname ~ '^typed_id_') as procedures`
    await client.query('set standard_conforming_strings = off; set quote_all_identifiers = on')
    const before = (await client.query(settings)).rows
    await client.query('begin')
    await client.query(file)
    expect((await client.query(settings)).rows).toEqual(before)
    await client.query('rollback')
    expect(await typeOf(client)).toMatch(/uuid/)
  })

  attack('converts one column after the other, and reports a second run', async (client) => {
    const before = await readIds(client)
    for (const column of COLUMNS) await client.query(await printConversion([column]))
    await expectConverted(client, before)
    const detail = expect.stringContaining(
      'public.users.id: expected a column of the type uuid, received public.user_id',
    )
    await expectUnchanged(client, file, { detail })
  })

  attack('reports a column that does not exist, and a column of two types', async (client) => {
    const unknown = await printConversion(['users.key=user'])
    await expectUnchanged(client, unknown, {
      message: 'expected columns of tables, received public.users.key',
    })
    const two = await printConversion(['teams.id=team', 'users.team_id=user'])
    const detail = expect.stringContaining(
      'users.team_id: foreign keys connect columns of the types team and user',
    )
    await expectUnchanged(client, two, { detail })
  })
}
