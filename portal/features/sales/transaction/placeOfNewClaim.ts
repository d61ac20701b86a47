import type { Transaction } from '#contract/sales/transaction.ts'
import type { Place } from '#portal/app/place.ts'

/** A new claim about a sale. */
export const placeOfNewClaim = ({ id, posId, createdAt }: Pick<Transaction, 'id' | 'posId' | 'createdAt'>): Place => ({
  to: '/customers-medias/claims/create',
  search: { machine: posId, at: createdAt, vend: id },
})
