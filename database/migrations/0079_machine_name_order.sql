-- Lists of machines are ordered by name, ignoring case. Lowering the names of ten thousand machines takes longer than sorting them.
alter table machines add column name_order text not null generated always as (lower(name)) stored;
