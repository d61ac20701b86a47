import { Button, Flex, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiToken, apiTokens } from '#contract/merchants/api-token.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'

/** How long the previous token stays valid, in hours. */
const graces = [0, 1, 24, 168] as const

/** Asks how long the current token stays valid after its rotation. */
export function RotateForm({
  token,
  done,
  cancel,
}: {
  token: ApiToken
  done: (token: string, details: ApiToken) => void
  cancel: () => void
}) {
  const { t } = useTranslation(['settings', 'ui'])
  const { id: merchantId } = useMerchant()
  const [graceHours, setGrace] = useState<number>(24)
  const rotate = useCommand(apiTokens.rotateApiToken)
  const act = async () => {
    const made = await rotate.mutateAsync({ params: { merchantId, tokenId: token.id }, body: { graceHours } })
    done(made.token, made.details)
  }
  return (
    <Stack gap="md">
      <p>{t('settings:token.rotateText')}</p>
      <NativeSelect
        label={t('settings:token.grace')}
        value={String(graceHours)}
        onChange={(event) => setGrace(Number(event.currentTarget.value))}
        data={graces.map((hours) => ({ value: String(hours), label: t(`settings:graceOf.${hours}`) }))}
      />
      <Flex gap="near" justify="flex-end">
        <Button variant="default" onClick={cancel} disabled={rotate.isPending}>
          {t('ui:cancel')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => void act().catch(() => undefined)}>
          {t('settings:token.rotate')}
        </Button>
      </Flex>
    </Stack>
  )
}
