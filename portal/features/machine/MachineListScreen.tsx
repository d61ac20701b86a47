import { Button } from '@mantine/core'
import { IconMap2, IconPlus, IconSend2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type MachineRow, machines } from '#contract/machine.ts'
import { maximumCommandMachines } from '#contract/remote-command.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { oneOf, type Search } from '../../app/search.ts'
import { useSession } from '../../app/session/useSession.ts'
import { lazyPart, Missing, Part } from '../../ui/lazyPart.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { BulkAction } from '../../ui/list/types.ts'
import { useGo } from '../../ui/PlaceLink.tsx'
import { useMachineBulk } from './acts/useMachineBulk.tsx'
import { MachinesMap } from './MachinesMap.tsx'
import { placeOfMachine, placeOfSendingTo } from './places.ts'
import { useMachineColumns } from './useMachineColumns.tsx'
import { useMachineEdit } from './useMachineEdit.ts'
import { useMachineFilters } from './useMachineFilters.ts'

const AttachPanel = lazyPart(() => import('../association/AttachPanel.tsx'))

/** The machines in reach, those that want somebody first. */
export default function MachineListScreen() {
  const { t } = useTranslation(['machine', 'vocabulary'])
  const merchant = useMerchant()
  const { me } = useSession()
  const go = useGo()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const [isMap, isAttaching] = [oneOf(search, 'map') === 'on', oneOf(search, 'attach') === 'on']
  const turn = (panel: 'map' | 'attach', isOn: boolean) =>
    void navigate({
      to: '.',
      search: (before: Search) => ({ ...before, [panel]: isOn ? 'on' : undefined }),
      replace: true,
      resetScroll: false,
    } as never)
  const { data: counts } = useQuery(queryOf(machines.countMachines, { params: { merchantId: merchant.id } }))
  const columns = useMachineColumns()
  const filters = useMachineFilters()
  const edit = useMachineEdit()
  const acts = useMachineBulk()
  const may = (permission: Parameters<typeof roleMay>[1]) => Boolean(me && roleMay(me.role, permission))

  const views = useMemo(
    () => [
      {
        id: 'attention',
        name: t('machine:view.attention'),
        filters: { states: ['blocked', 'silent', 'warning'] },
        count: counts && counts.blocked + counts.silent + counts.warning,
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
      run: (chosen) => void go(placeOfSendingTo(chosen, merchant.id)),
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
        params={{ merchantId: merchant.id }}
        columns={columns}
        filters={filters}
        order={{ ord: 'state', ordType: 'ASC' }}
        keyOf={(machine) => machine.id}
        placeOf={placeOfMachine}
        views={views}
        bulk={bulk}
        edit={may('machine.write') ? edit : undefined}
        actions={
          <>
            <Button
              variant={isMap ? 'light' : 'default'}
              aria-pressed={isMap}
              leftSection={<IconMap2 size={15} aria-hidden />}
              onClick={() => turn('map', !isMap)}
            >
              {t('machine:list.map')}
            </Button>
            {may('machine.associate') && (
              <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => turn('attach', true)}>
                {t('machine:list.attach')}
              </Button>
            )}
          </>
        }
        empty={{
          title: t('machine:empty.title'),
          text: t('machine:empty.text'),
          action: may('machine.associate') && (
            <Button onClick={() => turn('attach', true)}>{t('machine:list.attach')}</Button>
          ),
        }}
      >
        {isMap && <MachinesMap filters={filters} />}
      </ListScreen>
      {acts.dialogs}
      {isAttaching && may('machine.associate') && (
        <Part failed={(again) => <Missing again={again} close={() => turn('attach', false)} />}>
          <AttachPanel close={() => turn('attach', false)} />
        </Part>
      )}
    </>
  )
}
