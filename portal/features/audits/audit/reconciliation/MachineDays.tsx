import { useParams } from '@tanstack/react-router'
import { ReconciledDays } from './ReconciledDays.tsx'

/** The days of one machine, as a tab of its page. */
export default function MachineDays() {
  const { posId } = useParams({ strict: false }) as { posId: string }
  return <ReconciledDays posId={posId} />
}
