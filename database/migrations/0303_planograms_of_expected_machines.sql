-- The planogram that an import says of a machine that has not reported yet.
alter table expected_associations add column planogram_id uuid;
create index expected_associations_by_planogram on expected_associations (merchant_id, planogram_id) where planogram_id is not null;
