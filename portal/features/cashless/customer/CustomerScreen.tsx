import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type CustomerDetails, customers } from '#contract/cashless/customer.ts'
import { download } from '#portal/app/api.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'

const page = '/customers-medias/customers/$customerId'
const tabs = { details: page, mediaTransactions: `${page}/transactions`, medias: `${page}/medias` }

/** A customer: details, transactions and media. */
export default function CustomerScreen() {
  return (
    <RecordPage
      get={customers.getCustomer}
      param="customerId"
      words="customer"
      remove={customers.deleteCustomer}
      list="/customers-medias/customers"
      subtitle={({ email, phone }) => [email, phone]}
      actions={(customer) => <DataButton customer={customer} />}
      tabs={tabs}
      counts={({ medias }) => ({ medias })}
    />
  )
}

/** Downloads all data about the customer, for the customer. */
function DataButton({ customer: { id: customerId, merchantId } }: { customer: CustomerDetails }) {
  const { t } = useTranslation('customer')
  if (!useMay(customers.getCustomerData)) return null
  const save = () =>
    download(customers.getCustomerData, { params: { merchantId, customerId } }, `customer-${customerId}.json`)
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} aria-hidden />}
      onClick={() => void save().catch(toast.error)}
    >
      {t('data')}
    </Button>
  )
}
