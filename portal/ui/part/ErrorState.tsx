import { Box, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconSearchOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, reasonOf } from '#portal/app/apiError.ts'
import classes from './ErrorState.module.css'

/** Says that a part failed to load, with a retry button. */
export function ErrorState({
  error,
  title,
  text,
  retry,
  isSmall = false,
}: {
  error?: unknown
  title?: string
  text?: string
  retry?: () => unknown
  /** For a part of a screen: as small as possible. */
  isSmall?: boolean
}) {
  const { t } = useTranslation(['ui', 'errors'])
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Stack
      gap="snug"
      align="center"
      ta="center"
      className={classes.state}
      data-small={isSmall || undefined}
      role="alert"
    >
      <span className={classes.mark} data-tone="crit">
        <IconAlertTriangle size={20} aria-hidden />
      </span>
      <Title order={2} fz="lead" fw={650} lh="inherit">
        {title ?? t('ui:error.title')}
      </Title>
      <Text maw="46ch" c="dimmed">
        {text ?? reasonOf((key, values) => t(key, values), error)}
      </Text>
      {requestId && (
        <Text mt="hair" c="faint" fz="xs">
          {t('ui:error.request', { id: requestId })}
        </Text>
      )}
      {retry && (
        // Our own: available before the first screen, and when a chunk fails to load.
        <button type="button" className={`${classes.retry} lights`} onClick={() => void retry()}>
          {t('ui:error.retry')}
        </button>
      )}
    </Stack>
  )
}

/** The empty state, with the next step. */
export function EmptyState({
  title,
  text,
  children,
  icon,
}: {
  title: string
  text?: string
  children?: ReactNode
  icon?: ReactNode
}) {
  return (
    <Stack gap="snug" align="center" ta="center" className={classes.state}>
      <span className={classes.mark}>{icon ?? <IconSearchOff size={20} aria-hidden />}</span>
      <Title order={2} fz="lead" fw={650} lh="inherit">
        {title}
      </Title>
      {text && (
        <Text maw="46ch" c="dimmed">
          {text}
        </Text>
      )}
      {children && <Box mt="xs">{children}</Box>}
    </Stack>
  )
}
