import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { noVendAssignments } from '#contract/catalogue/no-vend-assignment.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { useCommand } from '#portal/app/api.ts'
import { AssignedFact } from '#portal/ui/assigned/AssignedFact.tsx'
import { NoVendChoice } from './NoVendChoice.tsx'
import { NoVendSync } from './NoVendSync.tsx'

/** The no-vend profile of a machine, whether the machine has it, and its change. */
export function NoVendFact({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine-act')
  const again = useCommand(noVendAssignments.setNoVendProfile, { says: 'machine-act:noVend.sent' })
  const { id: posId, merchantId, noVendProfileId, noVendProfileName, noVendProfileInSync } = machine
  const inputOf = (id: string | null) => ({ params: { merchantId, posId }, body: { noVendProfileId: id } })
  return (
    <AssignedFact
      merchantId={merchantId}
      current={noVendProfileId && noVendProfileName ? { id: noVendProfileId, name: noVendProfileName } : undefined}
      placeOf={(id) => ({ to: '/manage/no-vend-profiles/$noVendProfileId', params: { noVendProfileId: id } })}
      says={{
        none: t('noVend.none'),
        change: t('noVend.change'),
        title: t('noVend.label'),
        consequence: t('noVend.consequence'),
        save: t('noVend.confirm'),
        done: 'machine-act:noVend.saved',
      }}
      Choice={NoVendChoice}
      row={noVendAssignments.setNoVendProfile}
      inputOf={inputOf}
      beside={noVendProfileId && <NoVendSync isInSync={noVendProfileInSync === true} />}
      more={
        noVendProfileId &&
        !noVendProfileInSync && (
          <Button
            variant="subtle"
            size="compact-xs"
            loading={again.isPending}
            onClick={() => again.mutate({ ...inputOf(noVendProfileId), isWhole: true })}
          >
            {t('noVend.again')}
          </Button>
        )
      }
    />
  )
}
