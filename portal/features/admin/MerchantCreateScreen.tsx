import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { merchantEdits } from '#contract/merchant-edit.ts'
import { useCommand } from '../../app/api.ts'
import { useGo } from '../../ui/PlaceLink.tsx'
import { ScreenHeader } from '../../ui/ScreenHeader.tsx'
import { toast } from '../../ui/toast.tsx'
import { MerchantForm } from './MerchantForm.tsx'
import { type MerchantValues, newMerchant, sentOf } from './merchantValues.ts'

/** Makes a merchant and leads to it, where its first admin is invited from. */
export default function MerchantCreateScreen() {
  const { t } = useTranslation('merchant')
  const go = useGo()
  const [madeId, setMadeId] = useState<string>()
  const create = useCommand(merchantEdits.createMerchant, { isQuiet: true })
  const save = async (values: MerchantValues) => {
    const made = await create.mutateAsync({ body: sentOf(values) })
    toast.success('merchant:created')
    setMadeId(made.id)
    return made
  }
  // Once the form has nothing unsaved any more, which would hold whoever leaves.
  useEffect(() => {
    if (madeId) void go({ to: '/admin/merchants/$merchantId', params: { merchantId: madeId } })
    // oxlint-disable-next-line react/exhaustive-deps -- it leads there once
  }, [madeId])
  return (
    <>
      <ScreenHeader title={t('new.title')} subtitle={t('new.text')} />
      <MerchantForm initial={newMerchant} save={save} isSaving={create.isPending} error={create.error} />
    </>
  )
}
