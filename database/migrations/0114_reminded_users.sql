-- Reminders of licences are also mailed to the users who manage licences at the merchant, and to the user who created the licence.
alter table licence_reminders
  -- The user; 00000000-… is the end client, because a key cannot hold null.
  add column user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  drop constraint licence_reminders_pkey,
  add primary key (merchant_id, licence_id, expires_on, days, user_id);
alter table licence_reminders alter column user_id drop default;
