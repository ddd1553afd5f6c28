import { tryCells } from './trials';

tryCells('proxy');
