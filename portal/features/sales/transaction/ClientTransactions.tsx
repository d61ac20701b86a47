import { useParams } from '@tanstack/react-router'
import { TransactionList } from './TransactionList.tsx'

/** Sales of a client's machines, as a tab of its page. */
export default function ClientTransactions() {
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  return <TransactionList clientId={clientId} />
}
