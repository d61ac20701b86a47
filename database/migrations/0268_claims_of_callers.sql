-- Claims that staff opens for a caller, who has no account.

alter table claims
  -- How to reach the caller; erased once the answer is sent.
  add column contact text check (length(contact) between 1 and 120),
  -- The user who opened it; null: the customer sent it.
  add column opened_by uuid,
  add column opened_by_name text;
