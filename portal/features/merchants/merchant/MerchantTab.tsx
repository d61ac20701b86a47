import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { merchantEdits } from '#contract/merchants/merchant-edit.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { MerchantForm } from './MerchantForm.tsx'
import { type MerchantValues, sentOf, valuesOf } from './merchantValues.ts'

/** The edit tab of a merchant. */
export default function MerchantTab() {
  const { merchantId } = useParams({ strict: false }) as { merchantId: string }
  const { data: merchant } = useQuery(queryOf(merchantEdits.getMerchant, { params: { merchantId } }))
  const update = useCommand(merchantEdits.updateMerchant, { isQuiet: true })
  if (!merchant) return null
  const save = async (values: MerchantValues, version: number) => {
    const saved = await update.mutateAsync({ body: { id: merchantId, version, ...sentOf(values) } })
    toast.success('merchant:saved')
    return saved
  }
  return (
    <MerchantForm
      key={merchantId}
      merchant={merchant}
      initial={valuesOf(merchant)}
      save={save}
      isSaving={update.isPending}
      error={update.error}
    />
  )
}
