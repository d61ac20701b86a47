import { type Amounts, amounts } from './group-hours.ts'

/** The amounts of the sums, counted from transactions with this alias, as SQL in the order of `amounts`. */
export function countedAmounts(alias: string): string {
  const columns = ['type', 'media_type', 'media_source', 'paid_with', 'error_sale', 'value']
  const of = {
    count: 'count(*)::int',
    value: `coalesce(sum(${alias}.value) filter (where not ${alias}.error_sale), 0)::bigint`,
    value_charge: `sum(${alias}.value_charge)::bigint`,
    free_count: `(count(*) filter (where ${alias}.free_sale))::int`,
    error_count: `(count(*) filter (where ${alias}.error_sale))::int`,
    error_value: `coalesce(sum(${alias}.value) filter (where ${alias}.error_sale), 0)::bigint`,
    cash_value: `sum(cash_moved(${columns.map((name) => `${alias}.${name}`).join(', ')}))::bigint`,
  } satisfies Record<keyof Amounts, string>
  return amounts.map((name) => `${of[name]} as ${name}`).join(', ')
}
