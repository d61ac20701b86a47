import { Button } from '@mantine/core'
import { IconMap2, IconPlus, IconSend2, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { maximumCommandMachines } from '#contract/commands/remote-command.ts'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { needingAttention } from '#domain/machines/machine-state.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import type { BulkAction } from '#portal/ui/list/types.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { useMachineBulk } from './acts/useMachineBulk.tsx'
import { MachinesMap } from './MachinesMap.tsx'
import { columns } from './machineColumns.tsx'
import { attentionFilter, placeOfMachine, placeOfPricing, placeOfSendingTo } from './places.ts'
import { useMachineEdit } from './useMachineEdit.ts'
import { useMachineFilters } from './useMachineFilters.ts'

/** In pixels, as tall as its reserved space. */
const mapHeight = 400

/** The user's machines, sorted by need for attention. */
export default function MachineListScreen() {
  const { t } = useTranslation(['machine', 'vocabulary'])
  const merchant = useMerchant()
  const { me } = useSession()
  const go = useGo()
  const search = useAddressQuery()
  const isMap = oneOf(search, 'map') === 'on'
  const turnMap = (isOn: boolean) =>
    void go({ here: { map: isOn ? 'on' : undefined } }, { replace: true, resetScroll: false })
  const { data: counts } = useQuery(queryOf(machines.countMachines, { params: { merchantId: merchant.id } }))
  const filters = useMachineFilters()
  const edit = useMachineEdit()
  const acts = useMachineBulk()
  const may = (permission: Parameters<typeof roleMay>[1]) => Boolean(me && roleMay(me.role, permission))

  const maySend = may('remoteCommand.write')
  const shownColumns = useCallback((say: Say) => columns(say).filter(({ id }) => id !== 'acts' || maySend), [maySend])
  const views = useMemo(
    () => [
      {
        id: 'attention',
        name: t('machine:view.attention'),
        filters: attentionFilter,
        count: counts && needingAttention(counts.posStatuses),
      },
    ],
    [t, counts],
  )
  const bulk: BulkAction<MachineRow>[] = [
    {
      key: 'command',
      needs: 'remoteCommand.write',
      name: t('machine:sendCommand'),
      icon: <IconSend2 size={15} aria-hidden />,
      most: maximumCommandMachines,
      run: (selection) => void go(placeOfSendingTo(selection)),
    },
    {
      key: 'prices',
      needs: 'price.write',
      feature: 'vending',
      name: t('machine:changePrices'),
      icon: <IconTag size={15} aria-hidden />,
      most: maximumCommandMachines,
      run: (selection) => void go(placeOfPricing(selection)),
    },
    ...acts.bulk,
  ]
  return (
    <>
      <ListScreen
        id="machines"
        exports="machines"
        title={t('machine:list.title')}
        row={machines.listMachines}
        columns={shownColumns}
        filters={filters}
        order={{ ord: 'state', ordType: 'ASC' }}
        placeOf={placeOfMachine}
        views={views}
        bulk={bulk}
        edit={may('machine.write') ? edit : undefined}
        create={{
          name: t('machine:list.attach'),
          needs: 'machine.associate',
          icon: <IconPlus size={15} aria-hidden />,
          does: { to: '/associate' },
        }}
        actions={
          <Button
            variant={isMap ? 'light' : 'default'}
            aria-pressed={isMap}
            leftSection={<IconMap2 size={15} aria-hidden />}
            onClick={() => turnMap(!isMap)}
          >
            {t('machine:list.map')}
          </Button>
        }
        empty={{ title: t('machine:empty.title'), text: t('machine:empty.text') }}
      >
        {(filter) =>
          isMap && (
            <Panel
              component="section"
              mih={400}
              mb="sm"
              bg="var(--sunken)"
              shadow="xs"
              aria-label={t('machine:list.map')}
            >
              <MachinesMap filter={filter} height={mapHeight} />
            </Panel>
          )
        }
      </ListScreen>
      {acts.dialogs}
    </>
  )
}
