import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type SapCode, sapCodeColumns, sapCodeOrds, sapCodes } from '#contract/merchants/sap-code.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

const order = { ord: 'code', ordType: 'ASC' } as const
const looks = { lines: ['description'], looks: { code: { width: 220 }, createdAt: { width: 140 } } } as const
const columns = recordColumns<SapCode>(sapCodeColumns, sapCodeOrds, looks)
const placeOf = ({ merchantId, id }: SapCode) => ({
  to: '/admin/merchants/$merchantId/sapcodes/$sapCodeId',
  params: { merchantId, sapCodeId: id },
})

/** The SAP codes of a merchant's keys. */
export default function SapCodesTab() {
  const { t } = useTranslation('merchant')
  const { merchantId } = useParams({ strict: false }) as { merchantId: string }
  const filters = useMemo((): Filter[] => [{ key: 'search', kind: 'text', name: t('sapCode.search') }], [t])
  const create = (
    <Button<typeof PlaceLink>
      component={PlaceLink}
      place={{ to: '/admin/merchants/$merchantId/sapcodes/create', params: { merchantId } }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('sapCode.new')}
    </Button>
  )
  return (
    <ListScreen
      id="sapcodes"
      title={t('sapCode.list')}
      isEmbedded
      row={sapCodes.listSapCodes}
      params={{ merchantId }}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      exports="sapCodes"
      actions={create}
      empty={{ title: t('sapCode.empty'), text: t('sapCode.emptyText') }}
    />
  )
}
