import { Box, Flex, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { Logo } from '#portal/ui/value/Logo.tsx'
import { speak } from '../../app/i18n/i18n.ts'
import classes from './SessionPage.module.css'

/** The coin, cropped by the edge of the picture, as on the identity provider's pages. */
const Coin = () => (
  <svg viewBox="0 0 800 900" preserveAspectRatio="xMaxYMin slice" aria-hidden="true" fill="none">
    <g transform="translate(560 250)">
      <circle r="420" stroke="#d99a2b" strokeOpacity=".16" />
      <circle r="350" stroke="#d99a2b" strokeOpacity=".28" />
      <circle r="280" fill="#d99a2b" />
      <circle r="216" stroke="#fff8ea" strokeWidth="24" />
      <path
        d="M-84 -94V94M-28 -130V130M28 -130V130M84 -94V94"
        stroke="#fff8ea"
        strokeWidth="28"
        strokeLinecap="round"
      />
    </g>
  </svg>
)

/** The frame of the pages outside the shell: the coin, the content, and the languages. */
export function SessionPage({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  const { t, i18n } = useTranslation('session')
  useEffect(() => {
    document.title = `${title} · Gettone`
  }, [title])
  return (
    <div className={classes.page}>
      <Stack gap={28} className={classes.side}>
        <Group component="header" gap="xs" wrap="nowrap" fz="lg" fw={600} lts="-0.01em">
          <Logo size={26} />
          Gettone
        </Group>
        <Box component="main" w="100%" maw={380} m="auto">
          <h1 className={classes.title}>{title}</h1>
          {text && (
            <Text mt="snug" c="dimmed" className="breaks">
              {text}
            </Text>
          )}
          {children && (
            <Stack gap="xs" mt="far">
              {children}
            </Stack>
          )}
        </Box>
        <nav aria-label={t('language')}>
          <Flex
            component="ul"
            rowGap="tight"
            columnGap="sm"
            wrap="wrap"
            w="100%"
            maw={380}
            mx="auto"
            className={classes.languages}
          >
            {languages.map((language) => (
              <li key={language}>
                <button
                  type="button"
                  lang={language}
                  aria-current={language === i18n.language ? 'true' : undefined}
                  onClick={() => void speak(language).catch(() => undefined)}
                >
                  {languageNames[language]}
                </button>
              </li>
            ))}
          </Flex>
        </nav>
      </Stack>
      <aside className={classes.show} aria-hidden="true">
        <Coin />
        <p>{t('tagline')}</p>
      </aside>
    </div>
  )
}
