-- What machines do not sell at which times, such as sweets of a school in the morning.
create table no_vend_profiles (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  selections text[] not null default '{}',
  product_ids uuid[] not null default '{}',
  price_tables smallint[] not null default '{}',
  -- Weekly windows on the machine's clock, [{"days": [1, 2], "from": "08:00", "to": "13:00"}].
  windows jsonb not null default '[]',
  holidays date[] not null default '{}',
  on_holidays text not null default 'asUsual' check (on_holidays in ('asUsual', 'never', 'allDay')),
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('no_vend_profiles');
create unique index no_vend_profiles_by_name on no_vend_profiles (merchant_id, lower(name));
-- Profiles with a product, which keep it from being deleted.
create index no_vend_profiles_by_product on no_vend_profiles using gin (product_ids);
call make_searchable('no_vend_profiles', '{name}');

-- machines.no_vend_profile_id was always null until now.
alter table machines add constraint machines_no_vend_profile foreign key (merchant_id, no_vend_profile_id)
  references no_vend_profiles (merchant_id, id);
create index machines_by_no_vend_profile on machines (merchant_id, no_vend_profile_id) where no_vend_profile_id is not null;

-- The profile writes the novend.* part of a machine's target configuration; command 6 sends that part alone.
alter table custom_configurations alter column edited_at drop not null;
alter table custom_configurations alter column edited_by_name drop not null;
alter table custom_configurations
  -- The part is still to be sent. The version, if the part is all that this version has not sent; otherwise 0.
  add column no_vend_due int,
  -- The command that sends the part, while its outcome is unknown.
  add column no_vend_command_id uuid,
  -- Versions of profile and planogram that the part was computed from.
  add column no_vend_basis text;
create index custom_configurations_no_vend on custom_configurations (merchant_id)
  where no_vend_due is not null or no_vend_command_id is not null;
