-- Rows of an import are deleted when it can be undone no more: they have personal data of customers.
alter table imports add column rows_deleted boolean not null default false;
create index imports_to_forget on imports (at) where not rows_deleted;
