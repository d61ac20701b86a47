import { TransactionList } from './TransactionList.tsx'

/** What was sold, recharged, refunded and collected. */
export default function TransactionListScreen() {
  return <TransactionList />
}
