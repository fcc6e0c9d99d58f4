import { prettyFactory } from 'pino-pretty'

/** Returns a function that makes a JSON line readable for people. */
export const prettyFormat = (colorize: boolean): ((line: string) => string) =>
  prettyFactory({ colorize, ignore: 'pid', translateTime: 'SYS:HH:MM:ss' })
