import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { buying, type ProductToBuy, productToBuyColumns, productToBuyOrds } from '#contract/warehouse/buying.ts'
import { download } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf as oneIn } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { oneOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'

const order = { ord: 'supplier', ordType: 'ASC' } as const
const keyOf = ({ productId }: ProductToBuy) => productId
const placeOf = ({ productId }: ProductToBuy) => ({ to: '/manage/products/$productId', params: { productId } })
/** Days for which a purchase suffices. */
const covers = ['3', '7', '14', '30'] as const

const columns = recordColumns<ProductToBuy>(productToBuyColumns, productToBuyOrds, ({ t, format }: Say) => ({
  lines: ['supplier', 'packs'],
  aside: 'toBuy',
  hidden: ['productCode', 'leadDays', 'packSize'],
  looks: {
    toBuy: { cell: ({ toBuy }) => <strong>{format.number(toBuy)}</strong> },
    packs: {
      number: undefined,
      cell: ({ packs, packSize }) =>
        packSize === null
          ? '–'
          : t('buying:packsOf', { count: packs, number: format.number(packs), size: format.number(packSize) }),
    },
  },
}))

const filters = ({ t, format }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('buying:filter.search') },
  oneOf('coverDays', t('buying:filter.cover'), covers, (days) =>
    t('buying:filter.days', { count: Number(days), number: format.number(Number(days)) }),
  ),
  whether('withEnough', t('buying:filter.products'), t('buying:filter.all'), t('buying:filter.toBuy')),
]

/** What to buy, by supplier. */
export default function BuyingScreen() {
  const { t } = useTranslation('buying')
  const { isAll } = useMerchant()
  if (isAll)
    return (
      <>
        <ScreenHeader title={t('title')} />
        <EmptyState title={t('oneMerchant')} text={t('oneMerchantText')} />
      </>
    )
  return (
    <ListScreen
      id="productsToBuy"
      words="buying"
      row={buying.listProductsToBuy}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      exports="productsToBuy"
      actions={<PdfButton />}
    />
  )
}

/** The list by supplier, on paper, with the filters of the address. */
function PdfButton() {
  const { t, i18n } = useTranslation('buying')
  const { id: merchantId } = useMerchant()
  const address = useAddressQuery()
  const coverDays = oneIn(address, 'coverDays')
  const search = oneIn(address, 'search')
  const save = () =>
    download(
      buying.getProductsToBuyPdf,
      {
        params: { merchantId },
        query: {
          language: i18n.language as Language,
          ...(coverDays && { coverDays: Number(coverDays) }),
          ...(search && { search }),
        },
      },
      `${t('title')}.pdf`,
    )
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={15} aria-hidden />}
      onClick={() => void save().catch(toast.error)}
    >
      {t('pdf')}
    </Button>
  )
}
