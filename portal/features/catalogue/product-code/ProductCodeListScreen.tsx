import { Button, Flex, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import {
  type ProductCode,
  productCodeColumns,
  productCodeOrds,
  productCodes,
} from '#contract/catalogue/product-code.ts'
import { useCommand } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'

const MapDialog = lazyPart(() => import('./MapDialog.tsx'), ['form'])

const order = { ord: 'code', ordType: 'ASC' } as const

const columnsOf = (mayMap: boolean, map: (code: ProductCode) => void) =>
  recordColumns<ProductCode>(productCodeColumns, productCodeOrds, {
    lines: ['product', 'acts'],
    without: mayMap ? [] : ['acts'],
    looks: { acts: { cell: (code) => <Acts code={code} map={() => map(code)} /> } },
  })

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('filter.search') },
  whether('isMapped', t('filter.mapped'), t('filter.withProduct'), t('filter.without')),
]

/** Product codes of machines and their products; codes without a product are first. */
export default function ProductCodeListScreen() {
  const { t } = useTranslation('product-code')
  const { me } = useSession()
  const [mapped, setMapped] = useState<ProductCode>()
  const mayMap = me !== null && roleMay(me.role, 'product.write')
  const columns = useMemo(() => columnsOf(mayMap, setMapped), [mayMap])
  return (
    <>
      <ListScreen
        id="productCodes"
        words="product-code"
        row={productCodes.listProductCodes}
        columns={columns}
        filters={filters}
        order={order}
      >
        <Text maw="78ch" mb="sm" c="dimmed" fz="head" lh="19px">
          {t('explain')}
        </Text>
      </ListScreen>
      {mapped && (
        <Part>
          <MapDialog key={mapped.id} code={mapped} close={() => setMapped(undefined)} />
        </Part>
      )}
    </>
  )
}

function Acts({ code, map }: { code: ProductCode; map: () => void }) {
  const { t } = useTranslation('product-code')
  const go = useGo()
  const unmap = useCommand(productCodes.mapProductCode, {
    says: () => ({ key: 'product-code:unmapped', values: { code: code.code } }),
  })
  const { id, merchantId, machineCode } = code
  if (code.productId)
    return (
      <Button
        size="compact-sm"
        variant="subtle"
        loading={unmap.isPending}
        onClick={() => unmap.mutate({ params: { merchantId, productCodeId: id }, body: { productId: null } })}
      >
        {t('act.unmap')}
      </Button>
    )
  const search = { of: merchantId, code: machineCode ?? code.code, name: code.code, productCode: id }
  return (
    <Flex component="span" rowGap="tight" columnGap="near" wrap="wrap" display="inline-flex">
      <Button size="compact-sm" variant="default" aria-label={t('act.mapOf', { code: code.code })} onClick={map}>
        {t('act.map')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => void go({ to: '/manage/products/create', search })}>
        {t('act.create')}
      </Button>
    </Flex>
  )
}
