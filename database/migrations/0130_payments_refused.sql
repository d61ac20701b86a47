-- A payment that its machine claims after the medium was blocked, or after the customer lost the right to pay, is refused with its reason.
alter table app_payments drop constraint app_payments_reason_check;
alter table app_payments add constraint app_payments_reason_check check (
  reason in ('notTaken', 'notVended', 'vendFailed', 'unsupported', 'cancelled', 'mediaBlocked', 'notAllowed')
);
