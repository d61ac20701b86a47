/** Runs SQL as the owner. */
type Run = (text: string, values: unknown[]) => Promise<unknown>

/**
 * Adds machines to a merchant, in all states, with data for lists (cash, signal, last seen) and without sales: named "Row
 * 00001" and so on. They cannot sign in and are for lists only.
 */
export async function manyMachines(run: Run, merchantId: string, count: number): Promise<void> {
  await run(
    `insert into machines (merchant_id, id, serial, name, device_type, address, created_at, firmware_version, connection,
       pos_status, signal_percent, cash_in_box, cash_box_capacity, last_boot_at, last_seen_at, last_ping_at, last_sale_at)
     select $1, gen_random_uuid(), 'ROW-' || lpad(n::text, 5, '0'), 'Row ' || lpad(n::text, 5, '0'), 'AZVT',
       'Via Emilia ' || n, now() - interval '1 year', '2.' || n % 7 || '.' || n % 10, case when n % 9 = 0 then 0 else 1 end,
       case when n % 31 = 0 then 3 when n % 11 = 0 then 2 else 1 end, n * 37 % 101, n * 7919 % 60000, 60000, now() - interval '3 days',
       now() - n * interval '7 seconds', now() - n * interval '7 seconds', now() - n * interval '53 seconds'
     from generate_series(1, $2::int) as n`,
    [merchantId, count],
  )
}
