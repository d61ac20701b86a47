import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { screenConfigurations } from '#contract/configurations/screen-configuration.ts'
import { call, queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { When } from '#portal/ui/time/When.tsx'
import classes from './Screen.module.css'

/** The saved versions of a screen configuration. Restoring one saves it as the next version. */
export default function ScreenVersionsTab() {
  const { t } = useTranslation('screen-configuration')
  const format = useFormat()
  const client = useQueryClient()
  const { ask, dialog } = useConfirm()
  const mayWrite = useMay(screenConfigurations.updateScreenConfiguration)
  const { data: screen } = useRecord(screenConfigurations.getScreenConfiguration, 'screenConfigurationId')
  const params = { merchantId: screen?.merchantId ?? '', screenConfigurationId: screen?.id ?? '' }
  const { data, error, refetch } = useQuery({
    ...queryOf(screenConfigurations.listScreenVersions, { params }),
    enabled: screen !== undefined,
  })
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!screen || !data) return <ScreenSkeleton />
  const restore = (version: number) =>
    ask({
      title: t('versions.title', { number: format.number(version) }),
      consequence: t('versions.consequence'),
      confirm: t('versions.confirm'),
      dismiss: { how: 'leave' },
      act: async () => {
        try {
          const content = await call(screenConfigurations.getScreenVersion, {
            params: { ...params, version: String(version) },
          })
          const body = { ...content, version: screen.version }
          await call(screenConfigurations.updateScreenConfiguration, { params, body })
          await client.invalidateQueries()
          toast.success('screen-configuration:versions.done', { number: format.number(version) })
        } catch (failure) {
          toast.error(failure)
          throw failure
        }
      },
    })
  return (
    <Card title={t('versions.list')}>
      <Stack component="ol" gap={0}>
        {data.map(({ version, savedAt, savedBy, machines }) => (
          <Flex
            key={version}
            component="li"
            rowGap="tight"
            columnGap="md"
            wrap="wrap"
            align="center"
            py="xs"
            className={classes.version}
          >
            <strong>{t('summary.version', { number: format.number(version) })}</strong>
            <Text span c="dimmed" fz="fine">
              <When at={savedAt} />
              {savedBy && ` · ${savedBy}`}
              {machines > 0 && ` · ${t('versions.machines', { count: machines, number: format.number(machines) })}`}
            </Text>
            {mayWrite && version !== screen.version && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconHistory size={14} aria-hidden />}
                aria-label={t('versions.restore', { number: format.number(version) })}
                onClick={() => restore(version)}
              >
                {t('versions.confirm')}
              </Button>
            )}
          </Flex>
        ))}
      </Stack>
      {dialog}
    </Card>
  )
}
