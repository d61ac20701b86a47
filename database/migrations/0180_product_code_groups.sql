-- The groups whose machines have sent a code: users of some groups see the codes of these groups' machines only.

alter table product_codes add column seen_in_groups uuid[] not null default '{}';
update product_codes c set seen_in_groups = array[m.group_id] from machines m
  where m.merchant_id = c.merchant_id and m.id = c.seen_at_machine and m.group_id is not null;
