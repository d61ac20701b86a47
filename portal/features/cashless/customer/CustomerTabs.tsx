import { useParams } from '@tanstack/react-router'
import { TransactionList } from '#portal/features/sales/transaction/TransactionList.tsx'
import { MediaList } from '../media/MediaList.tsx'

const useCustomerId = () => (useParams({ strict: false }) as { customerId: string }).customerId

/** Transactions of the customer's media. */
export function TransactionsTab() {
  return <TransactionList customerId={useCustomerId()} />
}

/** The customer's media. */
export function MediasTab() {
  return <MediaList customerId={useCustomerId()} />
}
