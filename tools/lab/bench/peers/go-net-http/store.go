package main

import (
	"database/sql"
	"log"
	"net/url"
	"runtime"
	"strings"

	_ "github.com/lib/pq"
	_ "github.com/mattn/go-sqlite3"
)

const userColumns = `select users.id, users.email, users.name, teams.id, teams.name
  from users left join teams on teams.id = users.team_id`
const roleColumns = `select user_roles.user_id, roles.id, roles.name, roles.description
  from user_roles join roles on roles.id = user_roles.role_id`

// On SQLite: reads on a connection per processor, writes on one. On PostgreSQL: a pool of 10.
type store struct {
	team, user, rolesOf, allUsers, allRoles, members, membersRoles *sql.Stmt
	addTeam, addUser, setUser, addRole                             *sql.Stmt
}

func openStore(url string) *store {
	var reads, writes *sql.DB
	if strings.HasPrefix(url, "postgres") {
		reads = connect("postgres", url+"?sslmode=disable", 10)
		writes = reads
	} else {
		file := strings.TrimPrefix(url, "sqlite:")
		reads, writes = connectSqlite(file, 2*runtime.NumCPU()), connectSqlite(file, 1)
	}
	return &store{
		team:     prepare(reads, "select id, name from teams where id = $1"),
		user:     prepare(reads, userColumns+" where users.id = $1"),
		rolesOf:  prepare(reads, roleColumns+" where user_roles.user_id = $1 order by roles.id"),
		allUsers: prepare(reads, userColumns+" order by users.id"),
		allRoles: prepare(reads, roleColumns+" order by user_roles.user_id, roles.id"),
		members:  prepare(reads, userColumns+" where users.team_id = $1 order by users.id"),
		membersRoles: prepare(reads, roleColumns+
			" join users on users.id = user_roles.user_id where users.team_id = $1 order by users.id, roles.id"),
		addTeam: prepare(writes, "insert into teams (id, name) values ($1, $2)"),
		addUser: prepare(writes, `insert into users (id, email, normalized_email, name, password_hash, team_id)
      values ($1, $2, $3, $4, $5, $6)`),
		setUser: prepare(writes, "update users set name = coalesce($1, name), team_id = coalesce($2, team_id) where id = $3"),
		addRole: prepare(writes, "insert into user_roles (user_id, role_id) values ($1, $2) on conflict do nothing"),
	}
}

func connectSqlite(file string, connections int) *sql.DB {
	options := url.Values{
		"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_foreign_keys": {"on"}, "_busy_timeout": {"30000"},
	}
	return connect("sqlite3", "file:"+file+"?"+options.Encode(), connections)
}

func connect(driver, source string, connections int) *sql.DB {
	db, err := sql.Open(driver, source)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

func prepare(db *sql.DB, query string) *sql.Stmt {
	statement, err := db.Prepare(query)
	if err != nil {
		log.Fatal(err)
	}
	return statement
}

func (s *store) findUser(id string) (user, error) {
	found, err := scanUser(s.user.QueryRow(id))
	if err != nil {
		return found, err
	}
	roles, err := readRoles(s.rolesOf, id)
	found.Roles = append(found.Roles, roles[id]...)
	return found, err
}

func readUsers(users, roles *sql.Stmt, arguments ...any) ([]user, error) {
	byUser, err := readRoles(roles, arguments...)
	if err != nil {
		return nil, err
	}
	rows, err := users.Query(arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []user{}
	for rows.Next() {
		found, err := scanUser(rows)
		if err != nil {
			return nil, err
		}
		found.Roles = append(found.Roles, byUser[found.ID]...)
		list = append(list, found)
	}
	return list, rows.Err()
}

func readRoles(statement *sql.Stmt, arguments ...any) (map[string][]role, error) {
	rows, err := statement.Query(arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byUser := map[string][]role{}
	for rows.Next() {
		var userID string
		var found role
		if err := rows.Scan(&userID, &found.ID, &found.Name, &found.Description); err != nil {
			return nil, err
		}
		byUser[userID] = append(byUser[userID], found)
	}
	return byUser, rows.Err()
}

func scanUser(row interface{ Scan(...any) error }) (user, error) {
	found := user{Roles: []role{}}
	var teamID, teamName *string
	err := row.Scan(&found.ID, &found.Email, &found.Name, &teamID, &teamName)
	if teamID != nil {
		found.Team = &team{*teamID, *teamName}
	}
	return found, err
}
