import { Button, Flex, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { noVendAssignments } from '#contract/catalogue/no-vend-assignment.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { useCommand } from '#portal/app/api.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { NoVendChoice } from './NoVendChoice.tsx'
import { NoVendSync } from './NoVendSync.tsx'

/** The no-vend profile of a machine, whether the machine has it, and its change. */
export function NoVendFact({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine-act')
  const { me } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { id: posId, merchantId, noVendProfileId, noVendProfileName, noVendProfileInSync } = machine
  const again = useCommand(noVendAssignments.setNoVendProfile, { says: 'machine-act:noVend.sent' })
  const mayWrite = Boolean(me && roleMay(me.role, 'noVendProfile.write'))
  const sync = noVendProfileId && <NoVendSync isInSync={noVendProfileInSync === true} />
  if (!mayWrite)
    return (
      <Flex component="span" rowGap="tight" columnGap="near" wrap="wrap" align="center" display="inline-flex">
        {noVendProfileName ?? t('noVend.none')}
        {sync}
      </Flex>
    )
  return (
    <Flex component="span" rowGap="tight" columnGap="near" wrap="wrap" align="center" display="inline-flex">
      {noVendProfileId ? (
        <PlaceLink place={{ to: '/manage/no-vend-profiles/$noVendProfileId', params: { noVendProfileId } }}>
          {noVendProfileName}
        </PlaceLink>
      ) : (
        t('noVend.none')
      )}
      {sync}
      <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
        {t('noVend.change')}
      </Button>
      {noVendProfileId && !noVendProfileInSync && (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={again.isPending}
          onClick={() => again.mutate({ params: { merchantId, posId }, body: { noVendProfileId }, isWhole: true })}
        >
          {t('noVend.again')}
        </Button>
      )}
      {isOpen && <ChangeDialog machine={machine} close={() => setOpen(false)} />}
    </Flex>
  )
}

function ChangeDialog({ machine, close }: { machine: Machine; close: () => void }) {
  const { t } = useTranslation(['machine-act', 'ui'])
  const { id: posId, merchantId, noVendProfileId = null, noVendProfileName } = machine
  const [chosen, choose] = useState(noVendProfileId)
  const assign = useCommand(noVendAssignments.setNoVendProfile, { says: 'machine-act:noVend.saved', onDone: close })
  return (
    <Dialog onClose={close} title={t('machine-act:noVend.label')} size="md">
      <Stack gap="part">
        <p>{t('machine-act:noVend.consequence')}</p>
        <NoVendChoice
          merchantId={merchantId}
          chosen={noVendProfileId && noVendProfileName ? { id: noVendProfileId, name: noVendProfileName } : undefined}
          choose={choose}
        />
        <Flex gap="near">
          <Button
            loading={assign.isPending}
            disabled={chosen === noVendProfileId}
            onClick={() =>
              assign.mutate({ params: { merchantId, posId }, body: { noVendProfileId: chosen }, isWhole: true })
            }
          >
            {t('machine-act:noVend.confirm')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
