import { Button, Group } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Product, productColumns, productOrds, products } from '#contract/catalogue/product.ts'
import { ProductType } from '#contract/vocabulary/catalogue/product.ts'
import { useGo } from '#portal/app/go.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { ProductThumb } from './ProductThumb.tsx'
import { productTypeName } from './productTypeName.ts'
import { UnmappedHint } from './UnmappedHint.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: Product) => ({ to: '/manage/products/$productId', params: { productId: id } })

const hidden = [
  'description',
  'gtin',
  'allergens',
  'parameters',
  'createdAt',
  'defaultPrice',
  'defaultFill',
  'supplier',
  'packSize',
  'minimumPacks',
  'leadDays',
]
const columns = recordColumns<Product>(productColumns, productOrds, ({ t, format }: Say) => ({
  lines: ['code', 'productType'],
  aside: 'cost',
  hidden,
  looks: {
    name: {
      label: ({ name }) => name,
      cell: ({ name, thumbnail }) => (
        <Group component="span" gap="xs" wrap="nowrap" display="inline-flex" miw={0}>
          <ProductThumb name={name} thumbnail={thumbnail} />
          {name}
        </Group>
      ),
    },
    productType: { cell: ({ productType }) => productTypeName(t, productType) },
    vat: {
      number: undefined,
      cell: ({ vat }) => (vat === null ? null : format.number(vat, { maximumFractionDigits: 2 })),
    },
    parameters: {
      cell: ({ parameters }) => parameters.map(({ name, value }) => `${name}: ${value}`).join(', '),
    },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('filter.search') },
  anyOf('productTypes', t('field.productType'), ProductType.options, (type) => productTypeName(t, type)),
  whether('hasPlanograms', t('filter.planograms'), t('filter.inPlanograms'), t('filter.inNone')),
]

/** The products of the merchant. */
export default function ProductListScreen() {
  const { t } = useTranslation('product')
  return (
    <ListScreen
      id="products"
      words="product"
      row={products.listProducts}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'product.write', does: { to: '/manage/products/create' } }}
      actions={<Actions />}
      exports="products"
    >
      <UnmappedHint />
    </ListScreen>
  )
}

function Actions() {
  const { t } = useTranslation('product')
  const { me } = useSession()
  const go = useGo()
  return (
    <>
      <Button variant="default" onClick={() => void go({ to: '/manage/products/codes' })}>
        {t('codes')}
      </Button>
      {me && roleMay(me.role, 'product.write') && (
        <Button
          variant="default"
          leftSection={<IconFileUpload size={15} aria-hidden />}
          onClick={() => void go({ to: '/manage/imports/create', search: { kind: 'products' } })}
        >
          {t('import')}
        </Button>
      )}
    </>
  )
}
