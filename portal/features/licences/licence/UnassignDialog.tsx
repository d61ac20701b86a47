import { Button, Flex, Radio, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Licence } from '#contract/licences/licence.ts'
import { licenceActRows } from '#contract/licences/licence-acts.ts'
import { isDemoType, type UnassignCase, unassignCases } from '#contract/vocabulary/licence.ts'
import { useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'

/** Takes a licence from its machine, with the case. */
export function UnassignDialog({ licence, close }: { licence: Licence; close: () => void }) {
  const { t } = useTranslation(['licence', 'vocabulary', 'form', 'ui'])
  const { merchantId, id: licenceId, name, type } = licence
  const [unassignCase, choose] = useState<UnassignCase>()
  const [isMissing, setMissing] = useState(false)
  const unassign = useCommand(licenceActRows.unassignLicence, { says: 'licence:unassign.done', onDone: close })
  const possible = unassignCases.filter((one) => one !== (isDemoType(type) ? 'licenceEnd' : 'demoEnd'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(unassignCase === undefined)
    if (unassignCase) unassign.mutate({ params: { merchantId, licenceId }, body: { unassignCase } })
  }
  return (
    <Dialog
      onClose={close}
      title={t('licence:unassign.title', { name })}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text c="dimmed">{t('licence:unassign.consequence', { machine: licence.posName })}</Text>
          <Radio.Group
            label={t('licence:field.unassignCase')}
            value={unassignCase ?? null}
            onChange={(value) => {
              choose(value as UnassignCase)
              setMissing(false)
            }}
            error={isMissing && t('form:rule.required')}
            withAsterisk
          >
            <Stack gap="md">
              {possible.map((value, at) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`vocabulary:unassignCase.${value}`)}
                  {...(at === 0 && { 'data-autofocus': true })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" color="crit" loading={unassign.isPending}>
              {t('licence:unassign.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
