import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { GroupBlockers, type GroupDetails, groups } from '#contract/merchants/group.ts'
import { call } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { DeleteButton } from '#portal/features/machines/assigned/DeleteButton.tsx'
import { placedMachine } from '#portal/features/machines/assigned/InUseDialog.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { lazyPart, Missing, Part } from '#portal/ui/page/lazyPart.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { placeOfUser } from './placeOfUser.ts'

const GroupDialog = lazyPart(() => import('./GroupDialog.tsx'), ['form', 'editing'])

/** A group: its machines, and its users. */
export default function GroupScreen() {
  const { t } = useTranslation(['group', 'shell'])
  const format = useFormat()
  const { me } = useSession()
  const answer = useRecord(groups.getGroup, 'groupId')
  const group = answer.data
  const tabs = [
    {
      to: '/manage/groups/$groupId',
      name: t('shell:screens.machines'),
      count: group && format.number(group.machines),
    },
    {
      to: '/manage/groups/$groupId/users',
      name: t('shell:screens.groupPeople'),
      count: group && format.number(group.people),
    },
  ]
  return (
    <DetailScreen
      query={answer}
      merchantId={group?.merchantId}
      title={group?.name}
      actions={group && me && roleMay(me.role, 'group.write') ? <GroupActs group={group} /> : undefined}
      tabs={tabs.slice(0, me && roleMay(me.role, 'group.people') ? 2 : 1)}
    />
  )
}

function GroupActs({ group }: { group: GroupDetails }) {
  const { t } = useTranslation('group')
  const { me } = useSession()
  const [isRenaming, setRenaming] = useState(false)
  const { id: groupId, merchantId, name } = group
  const stop = () => setRenaming(false)
  const seesPeople = me && roleMay(me.role, 'group.people')
  return (
    <>
      <Button variant="default" onClick={() => setRenaming(true)}>
        {t('rename.do')}
      </Button>
      <DeleteButton
        kind="group"
        name={name}
        remove={() => call(groups.deleteGroup, { params: { merchantId, groupId } })}
        inUse="GroupInUse"
        blockingOf={(facts) => {
          const { machines, people, firstMachines, firstPeople } = GroupBlockers.parse(facts)
          const placed = firstPeople.map((person) => ({ ...person, place: placeOfUser(person) }))
          return {
            blockers: [
              { what: 'machines', count: machines, first: firstMachines.map(placedMachine) },
              { what: 'people', count: people, first: placed },
            ],
            note: !seesPeople && people > 0 ? t('delete.people') : undefined,
          }
        }}
        list="/manage/groups"
      />
      {isRenaming && (
        <Part failed={(again) => <Missing again={again} close={stop} />}>
          <GroupDialog group={group} close={stop} />
        </Part>
      )}
    </>
  )
}
