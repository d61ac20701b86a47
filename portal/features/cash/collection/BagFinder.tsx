import { TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cashCollections } from '#contract/cash/collection.ts'
import { call } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'

/** Opens the collection of a bag: typed or scanned, then Enter. Of several with the number, the newest that is not closed. */
export function BagFinder() {
  const { t } = useTranslation('cash-collection')
  const { id: merchantId } = useMerchant()
  const go = useGo()
  const [bag, setBag] = useState('')
  const [unknown, setUnknown] = useState<string>()
  const find = async (event: FormEvent) => {
    event.preventDefault()
    const bagNumber = bag.trim()
    if (bagNumber === '') return
    try {
      const query = { bagNumber, page: 1, size: 20, ord: 'at', ordType: 'DESC' } as const
      const { items } = await call(cashCollections.listCashCollections, { params: { merchantId }, query })
      const collection = items.find(({ status }) => status !== 'closed') ?? items[0]
      if (collection) void go({ to: '/devices/collections/$collectionId', params: { collectionId: collection.id } })
      else setUnknown(bagNumber)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <form onSubmit={(event) => void find(event)} role="search">
      <TextInput
        aria-label={t('bag.find')}
        placeholder={t('bag.find')}
        leftSection={<IconBarcode size={16} aria-hidden />}
        value={bag}
        maxLength={40}
        autoComplete="off"
        enterKeyHint="go"
        error={unknown !== undefined && t('bag.unknown', { bag: unknown })}
        onChange={(event) => {
          setBag(event.currentTarget.value)
          setUnknown(undefined)
        }}
      />
    </form>
  )
}
