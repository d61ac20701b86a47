import { ClientBlockers, clients } from '#contract/merchants/client.ts'
import { machinesInUse } from '#portal/ui/assigned/machinesInUse.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { StatementButton } from './StatementButton.tsx'

const tabs = {
  details: '/manage/clients/$clientId',
  machines: '/manage/clients/$clientId/pos',
  clientSales: '/manage/clients/$clientId/transactions',
  alarms: '/manage/clients/$clientId/pos-alarms',
}

/** A client: its details, its machines, their sales and their alarms. */
export default function ClientScreen() {
  return (
    <RecordPage
      get={clients.getClient}
      param="clientId"
      words="client"
      remove={clients.deleteClient}
      inUse={machinesInUse('ClientInUse', ClientBlockers)}
      list="/manage/clients"
      actions={(client) => <StatementButton client={client} />}
      subtitle={({ code, companyName, city }) => [code, companyName, city]}
      tabs={tabs}
      counts={({ machines }) => ({ machines })}
    />
  )
}
