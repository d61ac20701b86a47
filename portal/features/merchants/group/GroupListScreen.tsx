import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type GroupRow, groups } from '#contract/merchants/group.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Missing, Part } from '#portal/ui/page/lazyPart.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'

const GroupDialog = lazyPart(() => import('./GroupDialog.tsx'), ['form', 'editing'])

const order = { ord: 'name', ordType: 'ASC' } as const
const keyOf = ({ id }: GroupRow) => id
const placeOf = ({ id }: { id: string }) => ({
  to: '/manage/groups/$groupId',
  params: { groupId: id },
})

/** The groups that a merchant's machines are in, and how many people each is shown to. */
export default function GroupListScreen() {
  const { t } = useTranslation('group')
  const format = useFormat()
  const merchant = useMerchant()
  const go = useGo()
  const [isCreating, setCreating] = useState(false)
  const columns = useMemo(
    (): Column<GroupRow>[] => [
      {
        id: 'name',
        name: t('name'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: ({ name }) => name,
        label: ({ name }) => name,
      },
      {
        id: 'merchant',
        name: t('column.merchant'),
        isForAll: true,
        card: 'line',
        cell: ({ merchantName }) => merchantName,
      },
      {
        id: 'machines',
        name: t('column.machines'),
        align: 'end',
        cell: ({ machines }) => format.number(machines),
        number: ({ machines }) => machines,
      },
      {
        id: 'people',
        name: t('column.people'),
        align: 'end',
        cell: ({ people }) => format.number(people),
        number: ({ people }) => people,
      },
      { id: 'id', name: t('column.id'), isHidden: true, card: 'none', cell: ({ id }) => <CopyId value={id} isShort /> },
    ],
    [t, format],
  )
  const filters = useMemo((): Filter[] => [{ key: 'search', kind: 'text', name: t('filter.search') }], [t])
  const create = <Button onClick={() => setCreating(true)}>{t('create.do')}</Button>
  const close = () => setCreating(false)
  return (
    <>
      <ListScreen
        id="groups"
        title={t('title')}
        row={groups.pageGroups}
        params={{ merchantId: merchant.id }}
        columns={columns}
        filters={filters}
        order={order}
        keyOf={keyOf}
        placeOf={placeOf}
        actions={create}
        exports="groups"
        empty={{ title: t('empty.title'), text: t('empty.text'), action: create }}
      />
      {isCreating && (
        <Part failed={(again) => <Missing again={again} close={close} />}>
          <GroupDialog close={close} made={(group) => void go(placeOf(group))} />
        </Part>
      )}
    </>
  )
}
