-- What files of other systems call a machine, as users chose it: the next file with this name is of the same machine. A name that was given to
-- two machines names none of them (machine_id is null), so that a user chooses each time.
create table audit_file_names (
  merchant_id uuid not null references merchants (id),
  name text not null,
  machine_id uuid,
  primary key (merchant_id, name),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('audit_file_names');
create index audit_file_names_by_machine on audit_file_names (merchant_id, machine_id);
