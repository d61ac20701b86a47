import { RecordCreate } from '#portal/ui/form/record/RecordForm.tsx'
import { clientRecord } from './clientRecord.tsx'

export default function ClientCreateScreen() {
  return <RecordCreate record={clientRecord} />
}
