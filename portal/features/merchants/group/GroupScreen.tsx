import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { GroupBlockers, type GroupDetails, groups } from '#contract/merchants/group.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { placedMachine } from '#portal/ui/assigned/machinesInUse.ts'
import type { InUse } from '#portal/ui/page/DeleteButton.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { placeOfUser } from './placeOfUser.ts'

const GroupDialog = lazyPart(() => import('./GroupDialog.tsx'), ['form', 'editing'])

const machines = '/manage/groups/$groupId'
const groupPeople = '/manage/groups/$groupId/users'

const inUseOf = (seesPeople: boolean): InUse => ({
  code: 'GroupInUse',
  blockingOf: (facts, t) => {
    const { machines, people, firstMachines, firstPeople } = GroupBlockers.parse(facts)
    const placed = firstPeople.map((person) => ({ ...person, place: placeOfUser(person) }))
    return {
      blockers: [
        { what: 'machines', count: machines, first: firstMachines.map(placedMachine) },
        { what: 'people', count: people, first: placed },
      ],
      note: !seesPeople && people > 0 ? t('delete.people') : undefined,
    }
  },
})

/** A group: its machines, and its users. */
export default function GroupScreen() {
  const { me } = useSession()
  const seesPeople = Boolean(me && roleMay(me.role, 'group.people'))
  return (
    <RecordPage
      get={groups.getGroup}
      param="groupId"
      words="group"
      remove={groups.deleteGroup}
      inUse={inUseOf(seesPeople)}
      list="/manage/groups"
      actions={(group) => me && roleMay(me.role, 'group.write') && <Rename group={group} />}
      tabs={seesPeople ? { machines, groupPeople } : { machines }}
      counts={(group) => ({ machines: group.machines, groupPeople: group.people })}
    />
  )
}

function Rename({ group }: { group: GroupDetails }) {
  const { t } = useTranslation('group')
  const [isRenaming, setRenaming] = useState(false)
  const stop = () => setRenaming(false)
  return (
    <>
      <Button variant="default" onClick={() => setRenaming(true)}>
        {t('rename.do')}
      </Button>
      {isRenaming && (
        <Part failed={(again) => <PartFailure again={again} close={stop} />}>
          <GroupDialog group={group} close={stop} />
        </Part>
      )}
    </>
  )
}
