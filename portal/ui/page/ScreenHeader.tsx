import { Box, Flex, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useHere } from '#portal/app/here.ts'

interface Props {
  title: ReactNode
  /** The browser tab's title, when `title` is not a text. */
  documentTitle?: string
  /** Beside the title: a count, a badge. */
  aside?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
}

/** Breadcrumbs, title, badges, and the screen's main actions. */
export function ScreenHeader({ title, documentTitle, aside, subtitle, actions }: Props) {
  const named = documentTitle ?? (typeof title === 'string' ? title : undefined)
  useEffect(() => {
    document.title = named ? `${named} · Gettone` : 'Gettone'
  }, [named])
  return (
    <Box component="header" mb="part">
      <Breadcrumbs />
      <Flex rowGap="xs" columnGap="md" wrap="wrap" align="center" justify="space-between">
        <Box flex="1 1 300px" miw={0}>
          <Flex rowGap="tight" columnGap="xs" wrap="wrap" align="center">
            <Box component="h1" fz="xl" fw={680} lh="xl" lts="-0.01em" className="breaks">
              {title}
            </Box>
            {aside !== undefined && (
              <Text span c="dimmed">
                {aside}
              </Text>
            )}
          </Flex>
          {subtitle && <Box c="dimmed">{subtitle}</Box>}
        </Box>
        {actions && (
          <Group gap="near" className="no-print">
            {actions}
          </Group>
        )}
      </Flex>
    </Box>
  )
}

/** The path to this screen; empty on the first level. */
function Breadcrumbs() {
  const { t } = useTranslation('shell')
  const here = useHere()
  const above = here?.ancestors.filter(({ path }) => path !== here.screen.tabOf) ?? []
  if (above.length === 0) return null
  return (
    <Box aria-label={t('breadcrumbs')} component="nav" mb="snug" c="dimmed" fz="sm" className="no-print">
      {above.map(({ path, label }, index) => (
        <span key={path}>
          {index > 0 && (
            <Text aria-hidden span mx="snug" c="faint">
              /
            </Text>
          )}
          <Link to={path} params={(params: object) => params} state={{ isReturn: true }} className="quiet inks">
            {t(`screens.${label}`)}
          </Link>
        </span>
      ))}
    </Box>
  )
}
