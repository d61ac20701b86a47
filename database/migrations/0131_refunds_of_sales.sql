-- A sale is refunded in parts, by several refunds whose amounts add up to the sale at most. The sum is checked under the lock of the merchant's
-- account of refunds (database/cashless/refund.ts).
drop index refunds_by_transaction;
create index refunds_by_transaction on refunds (merchant_id, transaction_id) where transaction_id is not null;

-- What a machine gave back for a sale is found by the number of the sale. Reversals are rare, so the index is small.
create index transactions_by_original on transactions (merchant_id, machine_id, original_seq) where original_seq is not null;

-- Refunds of claims name their sale themselves, as all refunds do; until now only the claim of a sale in cash named it.
update refunds refund set transaction_id = claim.transaction_id, transaction_at = coalesce(refund.transaction_at, (
    select sale.created_at from transactions sale
    where sale.merchant_id = claim.merchant_id and sale.machine_id = claim.machine_id and sale.id = claim.transaction_id
      and sale.created_at between claim.happened_at - interval '1 day' and claim.happened_at + interval '1 day')),
  pos_id = coalesce(refund.pos_id, claim.machine_id)
from claims claim
where claim.state = 'refunded' and claim.transaction_id is not null and refund.merchant_id = claim.merchant_id
  and refund.id = claim.refund_id and refund.transaction_id is null;
