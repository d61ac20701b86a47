import { Button, Flex, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ids } from '#contract/frame/ids.ts'
import type { Licence } from '#contract/licences/licence.ts'
import { licenceActRows } from '#contract/licences/licence-acts.ts'
import { machines } from '#contract/machines/machine.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { EndpointSelect } from '#portal/ui/form/choices/EndpointSelect.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'

/** Moves a licence to another machine of its merchant. */
export function MoveDialog({ licence, close }: { licence: Licence; close: () => void }) {
  const { t } = useTranslation(['licence', 'ui'])
  const { merchantId, id: licenceId, name, status } = licence
  const rule = useMemo(() => z.strictObject({ posId: ids.posId }), [])
  const form = useSchemaForm<{ posId: string | null }>(rule, { posId: null })
  const move = useCommand(licenceActRows.moveLicence, { says: 'licence:move.done', onDone: close })
  const save = form.onSubmit(({ posId }) => {
    if (posId !== null) move.mutate({ params: { merchantId, licenceId }, body: { posId } })
  })
  return (
    <Dialog
      onClose={close}
      title={t('licence:move.title', { name })}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <EndpointSelect
            form={form}
            name="posId"
            label={t('licence:column.posName')}
            isRequired
            isFirst
            row={machines.listMachines}
            input={{ params: { merchantId } }}
            optionOf={({ id, name: machine, serial }: { id: string; name: string; serial: string }) => ({
              value: id,
              label: `${machine} · ${serial}`,
            })}
          />
          <Text c="dimmed">
            {t(
              status === licenceStatuses.confirmed || status === licenceStatuses.activated
                ? 'licence:move.consequence'
                : 'licence:move.again',
            )}
          </Text>
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={move.isPending}>
              {t('licence:move.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
