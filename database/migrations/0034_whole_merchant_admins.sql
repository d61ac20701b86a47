-- A merchant admin is of whole merchants: what they set (the PIN, who is mailed, tokens) reaches every group, so nobody may run a
-- merchant of which they see some groups. Nobody gains anything here, and no merchant loses whoever ran it as a whole.
--
-- Whoever has whole merchants beside parts of others stays their admin and leaves the others: a person has one role, which cannot be
-- an admin's here and a group admin's there, and as a group admin they might leave a merchant without anybody who runs it.
with whole as (
  select m.user_id from user_merchants m join users u on u.id = m.user_id
  where u.role = 'merchantAdmin' and m.all_groups),
left_behind as (
  delete from user_merchants where not all_groups and user_id in (select user_id from whole) returning user_id)
update users set version = version + 1 where id in (select user_id from left_behind);

-- Whoever has parts alone is a group admin of these.
update users set role = 'groupAdmin', version = version + 1
where role = 'merchantAdmin' and id in (select user_id from user_merchants where not all_groups);
