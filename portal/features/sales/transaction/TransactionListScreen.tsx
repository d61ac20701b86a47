import { TransactionList } from './TransactionList.tsx'

/** Sales, recharges, refunds and collections. */
export default function TransactionListScreen() {
  return <TransactionList />
}
