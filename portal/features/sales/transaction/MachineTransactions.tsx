import { useParams } from '@tanstack/react-router'
import { TransactionList } from './TransactionList.tsx'

/** Transactions of one machine, as a tab of its page. */
export default function MachineTransactions() {
  const { posId } = useParams({ strict: false }) as { posId: string }
  return <TransactionList posId={posId} />
}
