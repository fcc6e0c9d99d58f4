insert into teams (id, name) values
  ('team-0190163d-8694-739b-aea5-966c26f8ad91', 'Engineering'),
  ('team-0190163d-8694-739b-aea5-966c26f8ad92', '');
insert into roles (id, name, description) values
  ('role-0190163d-8694-739b-aea5-966c26f8ad91', 'admin', 'May do everything'),
  ('role-0190163d-8694-739b-aea5-966c26f8ad92', 'Admin', null);
insert into users (id, email, name, password_hash, team_id) values
  ('user-0190163d-8694-739b-aea5-966c26f8ad91', 'Ada@Example.com', 'Ada', '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA', 'team-0190163d-8694-739b-aea5-966c26f8ad91'),
  ('user-0190163d-8694-739b-aea5-966c26f8ad92', 'zoë@example.com', 'O''Hara 李 👩‍👩‍👧', '$argon2id$v=19$m=19456,t=2,p=1$BBBB$BBBB', 'team-0190163d-8694-739b-aea5-966c26f8ad91'),
  ('user-0190163d-8694-739b-aea5-966c26f8ad93', 'grace@example.com', '', '$argon2id$v=19$m=19456,t=2,p=1$CCCC$CCCC', null);
insert into user_roles (user_id, role_id) values
  ('user-0190163d-8694-739b-aea5-966c26f8ad91', 'role-0190163d-8694-739b-aea5-966c26f8ad91'),
  ('user-0190163d-8694-739b-aea5-966c26f8ad91', 'role-0190163d-8694-739b-aea5-966c26f8ad92'),
  ('user-0190163d-8694-739b-aea5-966c26f8ad93', 'role-0190163d-8694-739b-aea5-966c26f8ad92');
