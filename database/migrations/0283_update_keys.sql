-- The key that signs a machine's updates. It is the key that the machine has fetched last; null is the first.
alter table machine_secrets add column update_key text;
