import { RecordEdit } from '#portal/ui/form/record/RecordForm.tsx'
import { clientRecord } from './clientRecord.tsx'
import { useClient } from './useClient.ts'

/** What is known of a client, to be changed. */
export default function ClientDetailsTab() {
  const { data } = useClient()
  return data ? <RecordEdit key={data.id} record={clientRecord} saved={data} /> : null
}
